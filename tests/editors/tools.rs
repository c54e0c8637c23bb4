//! The tools of DESIGN.md 3.8, and how each edits a node.

/// How a tool says that its edit failed.
#[derive(Clone, Copy)]
pub enum Tells {
    ByStatus,
    /// An interactive program: its screen shows one of these.
    OnScreen(&'static [&'static str]),
    /// It looks at no error, or asked for nothing; why.
    Never(&'static str),
}

/// One row of the matrix.
///
/// The script runs in the folder that holds the save and `mnt`. `$P` is the node, `$D` and `$N` its directory and name,
/// `$OLD` its value, `$V` the value it is to get, which the file `x` holds too; `$KEYS` types into a program.
#[derive(Clone, Copy)]
pub struct Tool {
    pub name: &'static str,
    /// What has to be installed.
    pub program: &'static str,
    pub shell: &'static str,
    pub script: &'static str,
    /// Appends, which makes a value only where there is none yet.
    pub appends: bool,
    /// Files it keeps beside the node because it was asked to; `%` is the node's name.
    pub keeps: &'static [&'static str],
    /// Files it leaves beside the node after a failure, so that the user's text is not lost.
    pub rescues: &'static [&'static str],
    pub tells: Tells,
    /// Why it cannot tell of a refusal that comes at the flush: it writes no newline and looks at no error of close.
    pub deaf_at_flush: Option<&'static str>,
    /// Another script for the illegal edit, where the legal one's has none.
    pub illegal: Option<&'static str>,
}

const fn tool(name: &'static str, program: &'static str, script: &'static str) -> Tool {
    Tool {
        name,
        program,
        shell: "bash",
        script,
        appends: false,
        keeps: &[],
        rescues: &[],
        tells: Tells::ByStatus,
        deaf_at_flush: None,
        illegal: None,
    }
}

const fn shell(name: &'static str, shell: &'static str, script: &'static str) -> Tool {
    let mut row = tool(name, shell, script);
    row.shell = shell;
    row
}

impl Tool {
    const fn appending(mut self) -> Tool {
        self.appends = true;
        self
    }
    const fn keeping(mut self, names: &'static [&'static str]) -> Tool {
        self.keeps = names;
        self
    }
    const fn rescuing(mut self, names: &'static [&'static str]) -> Tool {
        self.rescues = names;
        self
    }
    const fn telling(mut self, tells: Tells) -> Tool {
        self.tells = tells;
        self
    }
    const fn deaf_at_flush(mut self, why: &'static str) -> Tool {
        self.deaf_at_flush = Some(why);
        self
    }
    const fn illegally(mut self, script: &'static str) -> Tool {
        self.illegal = Some(script);
        self
    }
}

const DEAF: &str = "the shell's printf looks at no error of close";
const TRUNCATION: &str = "a truncation without data asks for nothing";

const HERE: &str = "cat > $P <<END\n$V\nEND";
const PYTHON: &str = "python3";
const VIM: Tells = Tells::OnScreen(&["E514", "E512", "E667"]);
const NANO: Tells = Tells::OnScreen(&["Error writing"]);
const EMACS: Tells = Tells::OnScreen(&["Write error"]);

pub const TOOLS: &[Tool] = &[
    shell("bash >", "bash", "echo $V > $P"),
    shell("bash >>", "bash", "echo $V >> $P").appending(),
    shell("bash exec 3>", "bash", "exec 3> $P; echo $V >&3; s=$?; exec 3>&-; exit $s"),
    shell("bash <<END", "bash", HERE),
    shell("bash printf", "bash", "printf %s $V > $P").deaf_at_flush(DEAF),
    shell("dash >", "dash", "echo $V > $P"),
    shell("dash >>", "dash", "echo $V >> $P").appending(),
    shell("dash exec 3>", "dash", "exec 3> $P; echo $V >&3; s=$?; exec 3>&-; exit $s"),
    shell("dash <<END", "dash", HERE),
    shell("dash printf", "dash", "printf %s $V > $P").deaf_at_flush(DEAF),
    shell("zsh >", "zsh", "echo $V > $P"),
    shell("zsh >>", "zsh", "echo $V >> $P").appending(),
    shell("zsh exec 3>", "zsh", "exec 3> $P; echo $V >&3; s=$?; exec 3>&-; exit $s"),
    shell("zsh <<END", "zsh", HERE),
    shell("zsh printf", "zsh", "printf %s $V > $P").deaf_at_flush(DEAF),
    tool("/bin/echo", "echo", "/bin/echo $V > $P"),
    tool("tee", "tee", "echo $V | tee $P"),
    tool("tee -a", "tee", "echo $V | tee -a $P").appending(),
    tool("cp", "cp", "cp x $P"),
    tool("cp -p", "cp", "cp -p x $P"),
    tool("cp -a", "cp", "cp -a x $P"),
    tool("cp --remove-destination", "cp", "cp --remove-destination x $P"),
    tool(
        "mv from another file system",
        "mv",
        "f=$(mktemp /dev/shm/savefs.XXXXXX); echo $V > $f; mv $f $P; s=$?; rm -f $f; exit $s",
    ),
    tool(
        "mv inside",
        "mv",
        "(umask 077; set -C; echo $V > $D/.new); mv $D/.new $P; s=$?; rm -f $D/.new; exit $s",
    ),
    tool("install", "install", "install x $P"),
    tool("install -m 600", "install", "install -m 600 x $P"),
    tool("dd", "dd", "dd if=x of=$P status=none"),
    tool("dd bs=1", "dd", "dd if=x of=$P bs=1 status=none"),
    tool("dd conv=fsync", "dd", "dd if=x of=$P conv=fsync status=none"),
    tool(
        "dd conv=notrunc",
        "dd",
        "printf '%3s\\n' $V | dd of=$P conv=notrunc status=none",
    ),
    tool("truncate", "truncate", "truncate -s 0 $P && echo $V > $P")
        .illegally("truncate -s 1 $P && truncate -s 40 $P")
        .telling(Tells::Never(TRUNCATION)),
    tool("ed", "ed", "printf '1s/.*/%s/\\nw\\nq\\n' $V | ed -s $P"),
    tool("sed -i", "sed", "sed -i s/$OLD/$V/ $P"),
    tool("sed -i.bak", "sed", "sed -i.bak s/$OLD/$V/ $P").keeping(&["%.bak"]),
    tool("perl -pi", "perl", "perl -pi -e s/$OLD/$V/ $P"),
    tool("perl -pi.bak", "perl", "perl -pi.bak -e s/$OLD/$V/ $P").keeping(&["%.bak"]),
    tool("gawk -i inplace", "gawk", "gawk -i inplace -v v=$V '{ print v }' $P"),
    tool(
        "vim",
        "vim",
        "cd $D; python3 $KEYS \"wait:$OLD\" \"keys::%s/.*/$V/\\r\" 'keys::w\\r' 'wait:written|E[56]\\d\\d' \
         'keys:\\r\\r:q!\\r' -- vim $N",
    )
    .telling(VIM),
    tool(
        "vim, swap backup undofile",
        "vim",
        "cd $D; python3 $KEYS \"wait:$OLD\" \"keys::%s/.*/$V/\\r\" 'keys::w\\r' 'wait:written|E[56]\\d\\d' \
         'keys:\\r\\r:q!\\r' -- vim -c 'set swapfile backup undofile' $N",
    )
    .keeping(&["%~", ".%.un~"])
    .telling(VIM),
    // Without defaults.vim it copies its backup back after a failure, and keeps it, on any file system.
    tool("vim -es", "vim", "vim -es -c \"%s/.*/$V/\" -c wq $P < /dev/null").rescuing(&["%~"]),
    tool(
        "nano",
        "nano",
        "cd $D; python3 $KEYS 'wait:Exit' \"keys:\\x0b$V\" 'keys:\\x0f' 'wait:Write' 'keys:\\r' \
         'wait:Wrote|Error' 'keys:\\x18' 'wait:Save mod' 'keys:n' -- nano $N",
    )
    .telling(NANO),
    tool(
        "nano -B -G",
        "nano",
        "cd $D; python3 $KEYS 'wait:Exit' \"keys:\\x0b$V\" 'keys:\\x0f' 'wait:Write' 'keys:\\r' \
         'wait:Wrote|Error' 'keys:\\x18' 'wait:Save mod' 'keys:n' -- nano -B -G $N",
    )
    .keeping(&["%~"])
    .telling(NANO),
    tool(
        "emacs --batch",
        "emacs",
        "emacs -Q --batch $P --eval \"(progn (erase-buffer) (insert \\\"$V\\n\\\") (save-buffer))\"",
    )
    .keeping(&["%~"]),
    tool(
        "emacs -nw",
        "emacs",
        "cd $D; python3 $KEYS wait:Fundamental \"keys:\\x0b$V\" 'keys:\\x18\\x13' \
         'wait:Wrote|Write error' 'keys:\\x18\\x03' 'wait:Save file' 'keys:n' 'wait:yes or no' 'keys:yes\\r' \
         -- emacs -nw -Q $N",
    )
    .keeping(&["%~"])
    // What was typed and is in no file, auto-saved when emacs ends.
    .rescuing(&["#%#"])
    .telling(EMACS),
    tool(
        "Python write_text",
        PYTHON,
        "python3 -c 'import sys, pathlib; pathlib.Path(sys.argv[1]).write_text(sys.argv[2])' $P $V",
    ),
    tool(
        "Python open, write, close",
        PYTHON,
        "python3 -c 'import sys; f = open(sys.argv[1], \"w\"); f.write(sys.argv[2]); f.close()' $P $V",
    ),
    tool(
        "Python tempfile, os.replace",
        PYTHON,
        "python3 -c 'import os, sys, tempfile
f = tempfile.NamedTemporaryFile(\"w\", dir=os.path.dirname(sys.argv[1]), delete=False)
f.write(sys.argv[2]); f.close()
try: os.replace(f.name, sys.argv[1])
except OSError: os.unlink(f.name); raise' $P $V",
    ),
    tool(
        "Python shutil.copy",
        PYTHON,
        "python3 -c 'import shutil, sys; shutil.copy(\"x\", sys.argv[1])' $P",
    ),
    // Same size in the same second: rsync would take the two for equal.
    tool("rsync", "rsync", "touch -d yesterday x; rsync x $P"),
    tool("rsync -a", "rsync", "touch -d yesterday x; rsync -a x $P"),
    tool("rsync --inplace", "rsync", "touch -d yesterday x; rsync --inplace x $P"),
    tool(
        "patch",
        "patch",
        "printf -- '--- a\\n+++ b\\n@@ -1 +1 @@\\n-%s\\n+%s\\n' $OLD $V | patch -s $P",
    ),
    tool(
        "git apply",
        "git",
        "printf -- '--- a/%s\\n+++ b/%s\\n@@ -1 +1 @@\\n-%s\\n+%s\\n' $N $N $OLD $V > p; \
         export GIT_CEILING_DIRECTORIES=$PWD; cd $D; git apply $OLDPWD/p",
    ),
    tool("sort -o", "sort", "sort -o $P x"),
    tool("sponge", "sponge", "echo $V | sponge $P"),
    tool(
        "Node.js writeFileSync",
        "node",
        "node -e 'require(\"fs\").writeFileSync(process.argv[1], process.argv[2] + \"\\n\")' $P $V",
    ),
    tool(
        "Node.js promises.writeFile",
        "node",
        "node -e 'require(\"fs\").promises.writeFile(process.argv[1], process.argv[2])
            .catch(e => { console.error(e.message); process.exit(1) })' $P $V",
    ),
];
