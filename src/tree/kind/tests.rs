use super::*;
use crate::tree::table::NameFile;
use proptest::prelude::*;

const ASCII: Alphabet = Alphabet {
    page: CodePage::Latin1,
    highest: b'~',
    controls: false,
};
const U8: Kind = Kind::Int {
    width: 1,
    signed: false,
};
const I16: Kind = Kind::Int {
    width: 2,
    signed: true,
};
const NAME: Kind = Kind::Pascal {
    size: 8,
    alphabet: ASCII,
};

static FILE: NameFile = NameFile::new(
    "table\tindex\tname\tmeaning\nmood\t0\tcalm\t\nmood\t1\tangry\t\nmood\t4\tsad\t\nbits\t0\tlit\t\nbits\t3\twet\t\n",
);
static MOOD: Names = Names {
    file: &FILE,
    table: "mood",
    low: 0,
    high: 4,
};
static BITS: Names = Names {
    file: &FILE,
    table: "bits",
    low: 0,
    high: 255,
};

fn shown(kind: Kind, bytes: &[u8], legal: &Legal) -> String {
    String::from_utf8(kind.show(bytes, legal).into_owned()).expect("text")
}

fn refused(kind: Kind, text: &str, legal: &Legal, old: &[u8]) -> Errno {
    kind.parse(text.as_bytes(), legal, old)
        .expect_err(text)
        .errno
}

#[test]
fn integers_are_decimal_or_hexadecimal_and_white_space_does_not_count() {
    for (text, value) in [
        ("7", 7),
        (" 7\n", 7),
        ("0x10", 16),
        ("-0x10", -16),
        ("+3", 3),
        ("-32768", -32768),
    ] {
        let bytes = I16
            .parse(text.as_bytes(), &Legal::Any, &[0, 0])
            .expect(text);
        assert_eq!(integer(&bytes, 2, true), value, "{text:?}");
    }
    for text in ["", "-", "0x", "1.5", "abc", "--1", "32768", "1 2"] {
        assert_eq!(
            refused(I16, text, &Legal::Any, &[0, 0]),
            Errno::Invalid,
            "{text:?}"
        );
    }
}

#[test]
fn a_value_out_of_range_is_refused_unless_it_is_there_already() {
    let legal = Legal::Range(0, 100);
    assert_eq!(refused(U8, "101", &legal, &[5]), Errno::Invalid);
    assert_eq!(U8.parse(b"200", &legal, &[200]), Ok(vec![200]));
    assert_eq!(refused(U8, "5", &Legal::Names(&MOOD), &[0]), Errno::Invalid);
    assert_eq!(U8.parse(b"9", &Legal::Names(&MOOD), &[9]), Ok(vec![9]));
}

#[test]
fn names_and_sets_read_back_as_shown() {
    let mood = Legal::Names(&MOOD);
    assert_eq!(shown(U8, &[4], &mood), "sad");
    assert_eq!(shown(U8, &[3], &mood), "3");
    assert_eq!(U8.parse(b"Angry\n", &mood, &[0]), Ok(vec![1]));
    let bits = Legal::Bits(&BITS);
    assert_eq!(shown(U8, &[0], &bits), "none");
    assert_eq!(shown(U8, &[0b1010_1001], &bits), "lit,wet,bit5,bit7");
    assert_eq!(
        U8.parse(b"lit,wet,bit5,bit7", &bits, &[0]),
        Ok(vec![0b1010_1001])
    );
    assert_eq!(refused(U8, "lit,bit8", &bits, &[0]), Errno::Invalid);
    assert_eq!(refused(U8, "lit,blue", &bits, &[0]), Errno::Invalid);
    let signed = Kind::Int {
        width: 4,
        signed: true,
    };
    assert_eq!(shown(signed, &[0, 0, 0, 0x80], &bits), "bit31");
    assert_eq!(
        signed.parse(b"bit31", &bits, &[0; 4]),
        Ok(vec![0, 0, 0, 0x80])
    );
}

#[test]
fn a_boolean_that_is_neither_is_shown_as_found() {
    assert_eq!(shown(Kind::Bool, &[1], &Legal::Any), "true");
    assert_eq!(shown(Kind::Bool, &[7], &Legal::Any), "7");
    assert_eq!(Kind::Bool.parse(b"7\n", &Legal::Any, &[7]), Ok(vec![7]));
    assert_eq!(refused(Kind::Bool, "7", &Legal::Any, &[0]), Errno::Invalid);
    assert_eq!(Kind::Bool.parse(b"TRUE", &Legal::Any, &[0]), Ok(vec![1]));
}

#[test]
fn text_keeps_everything_but_one_newline() {
    let old = *b"\x03abcJUNK";
    assert_eq!(shown(NAME, &old, &Legal::Any), "abc");
    assert_eq!(
        NAME.parse(b" a b\n", &Legal::Any, &old),
        Ok(b"\x04 a b".to_vec())
    );
    assert_eq!(NAME.parse(b"\n", &Legal::Any, &old), Ok(b"\0".to_vec()));
    assert_eq!(refused(NAME, "\n", &Legal::Nonempty, &old), Errno::Invalid);
    assert_eq!(refused(NAME, "12345678", &Legal::Any, &old), Errno::TooLong);
    assert_eq!(
        refused(NAME, "\u{20ac}", &Legal::Any, &old),
        Errno::Unencodable
    );
    assert_eq!(
        refused(NAME, "a\n\n", &Legal::Any, &old),
        Errno::Unencodable
    );
    assert_eq!(
        refused(NAME, "\u{e9}", &Legal::Any, &old),
        Errno::Unencodable
    );
    assert_eq!(
        NAME.parse("\u{e9}\n".as_bytes(), &Legal::Any, b"\x01\xe9______"),
        Ok(b"\x01\xe9______".to_vec())
    );
}

#[test]
fn what_can_no_longer_become_legal_is_refused_early() {
    let legal = Legal::Range(0, 255);
    for (kind, legal, text, fine) in [
        (I16, legal, "25", true),
        (I16, legal, "2555", false),
        (I16, legal, "999", false),
        (I16, legal, "-", true),
        (I16, legal, "-1", false),
        (I16, legal, "abc", false),
        (I16, legal, " ", true),
        (I16, legal, "0x", true),
        (I16, legal, "7 7", false),
        (I16, legal, "999\n", false),
        (U8, Legal::Names(&MOOD), "an", true),
        (U8, Legal::Names(&MOOD), "an\n", false),
        (U8, Legal::Names(&MOOD), "x", false),
        (NAME, Legal::Nonempty, "", true),
        (NAME, Legal::Nonempty, "1234567", true),
        (NAME, Legal::Nonempty, "1234567\n", true),
        (NAME, Legal::Nonempty, "12345678", false),
    ] {
        assert_eq!(
            kind.feasible(text.as_bytes(), &legal, &[0; 8]).is_ok(),
            fine,
            "{kind:?} {text:?}"
        );
    }
}

proptest! {
    #[test]
    fn every_beginning_of_a_legal_value_is_feasible(value in any::<i16>(), text in "[ -~]{0,7}", cut in 0usize..8, newline in any::<bool>()) {
        let end = if newline { "\n" } else { "" };
        for (kind, given) in [(I16, format!("{value}{end}")), (NAME, format!("{text}{end}"))] {
            prop_assert!(kind.parse(given.as_bytes(), &Legal::Any, &[0; 8]).is_ok());
            let beginning = &given.as_bytes()[..cut.min(given.len())];
            prop_assert!(kind.feasible(beginning, &Legal::Any, &[0; 8]).is_ok(), "{:?}", beginning);
        }
    }

    #[test]
    fn what_is_shown_is_taken_back(bytes in proptest::array::uniform8(any::<u8>())) {
        let kinds = [
            (Kind::Int { width: 8, signed: true }, Legal::Any),
            (Kind::Int { width: 8, signed: false }, Legal::Bits(&BITS)),
            (Kind::Int { width: 1, signed: false }, Legal::Names(&MOOD)),
            (Kind::Int { width: 1, signed: false }, Legal::Range(0, 1)),
            (Kind::Ints { width: 2, signed: true, count: 4 }, Legal::Any),
            (Kind::Float { width: 4 }, Legal::Floats(0.0, 1.0)),
            (Kind::Float { width: 8 }, Legal::Any),
            (Kind::Bool, Legal::Any),
            (Kind::Terminated { size: 8, alphabet: ASCII }, Legal::Any),
        ];
        for (kind, legal) in kinds {
            let old = &bytes[..kind.size()];
            let mut text = kind.show(old, &legal).into_owned();
            text.push(b'\n');
            let back = kind.parse(&text, &legal, old);
            let back = back.map_err(|r| TestCaseError::fail(format!("{kind:?} {r}")))?;
            match kind {
                Kind::Terminated { .. } => prop_assert!(old.starts_with(&back)),
                _ => prop_assert_eq!(&back[..], old),
            }
        }
    }
}
