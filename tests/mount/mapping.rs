//! Values that are written through a shared mapping: the bytes come late, and from whoever unmaps them.

use super::{Bench, eventually};

/// Writes one byte of `hero/level` through a mapping whose file is already closed.
fn written_after_close(byte: char) -> String {
    format!(
        "python3 - <<'EOF'
import ctypes, mmap, os
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
f = os.open('mnt/hero/level', os.O_RDWR)
p = libc.mmap(None, 4096, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_SHARED, f, 0)
os.close(f)
ctypes.memset(p, ord('{byte}'), 1)
libc.munmap(p, 4096)
EOF"
    )
}

#[test]
fn what_is_written_to_a_mapping_after_the_close_reaches_the_save() {
    let Some(bench) = Bench::new() else { return };
    bench.ok(&written_after_close('7'));
    eventually(2, "written", || bench.stored("hero/level") == "7");
    assert_eq!(bench.get("hero/level"), "7");
}

#[test]
fn a_refused_value_in_a_mapping_is_told_to_whoever_wrote_it_and_to_nobody_else() {
    let Some(bench) = Bench::new() else { return };
    let before = bench.on_disk();
    bench.ok(&written_after_close('x'));
    eventually(2, "told", || bench.errors().contains("hero/level: \"x"));
    assert_eq!(bench.ok("cat mnt/hero/level"), "5");
    let said = bench.fails(
        "python3 - <<'EOF'
import mmap
f = open('mnt/hero/level', 'r+b')
m = mmap.mmap(f.fileno(), 0)
m[0:1] = b'x'
m.flush()
EOF",
    );
    assert!(said.contains("[Errno 22] Invalid argument"), "{said}");
    assert_eq!(bench.ok("cat mnt/hero/level"), "5");
    assert_eq!(bench.on_disk(), before);
}
