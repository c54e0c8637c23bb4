mod mount;
