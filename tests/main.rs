mod faults;
