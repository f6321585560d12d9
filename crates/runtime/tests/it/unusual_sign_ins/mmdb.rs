//! Writes a tiny database of addresses, as operators have it from its makers (`MaxMind` DB file format 2.0).

/// A network of IPv4 by its first three bytes, and where it is: degrees north and east, and the radius in kilometres.
pub type Located = ([u8; 3], f64, f64, u16);

/// A database of the type `kind`, with these networks of 24 bits.
pub fn database(kind: &str, networks: &[Located]) -> Vec<u8> {
    let mut data = Vec::new();
    let mut nodes = vec![[Link::Nothing; 2]];
    for (prefix, latitude, longitude, radius) in networks {
        insert(&mut nodes, *prefix, data.len());
        map(&mut data, 1);
        text(&mut data, "location");
        map(&mut data, 3);
        text(&mut data, "latitude");
        double(&mut data, *latitude);
        text(&mut data, "longitude");
        double(&mut data, *longitude);
        text(&mut data, "accuracy_radius");
        number(&mut data, 5, u64::from(*radius));
    }
    let mut file = tree(&nodes);
    file.extend([0; 16]);
    file.extend(data);
    file.extend(b"\xab\xcd\xefMaxMind.com");
    file.extend(metadata(kind, nodes.len()));
    file
}

/// Where a bit of an address leads.
#[derive(Clone, Copy)]
enum Link {
    Nothing,
    Node(usize),
    Data(usize),
}

fn insert(nodes: &mut Vec<[Link; 2]>, prefix: [u8; 3], offset: usize) {
    let bits = (0..24).map(|bit| usize::from((prefix[bit / 8] >> (7 - bit % 8)) & 1));
    let mut at = 0;
    for (number, bit) in bits.enumerate() {
        if number == 23 {
            nodes[at][bit] = Link::Data(offset);
            return;
        }
        at = if let Link::Node(next) = nodes[at][bit] {
            next
        } else {
            nodes.push([Link::Nothing; 2]);
            let next = nodes.len() - 1;
            nodes[at][bit] = Link::Node(next);
            next
        };
    }
}

/// Two records of 24 bits for each node.
fn tree(nodes: &[[Link; 2]]) -> Vec<u8> {
    let record = |link: &Link| {
        let value = match link {
            Link::Node(number) => *number,
            Link::Nothing => nodes.len(),
            Link::Data(offset) => nodes.len() + 16 + offset,
        };
        u32::try_from(value).unwrap().to_be_bytes()[1..].to_vec()
    };
    nodes.iter().flatten().flat_map(record).collect()
}

fn metadata(kind: &str, nodes: usize) -> Vec<u8> {
    let mut out = Vec::new();
    map(&mut out, 9);
    for (name, width, value) in [
        ("binary_format_major_version", 5, 2),
        ("binary_format_minor_version", 5, 0),
        ("build_epoch", 9, 1_800_000_000),
        ("ip_version", 5, 4),
        ("node_count", 6, nodes as u64),
        ("record_size", 5, 24),
    ] {
        text(&mut out, name);
        number(&mut out, width, value);
    }
    text(&mut out, "database_type");
    text(&mut out, kind);
    text(&mut out, "description");
    map(&mut out, 0);
    text(&mut out, "languages");
    out.extend([0, 4]);
    out
}

fn map(out: &mut Vec<u8>, members: u8) {
    out.push(7 << 5 | members);
}

fn text(out: &mut Vec<u8>, text: &str) {
    // From 29 on, the length takes a byte of its own.
    let length = u8::try_from(text.len()).unwrap();
    if length < 29 {
        out.push(2 << 5 | length)
    } else {
        out.extend([2 << 5 | 0x1d, length - 29])
    }
    out.extend(text.as_bytes());
}

fn double(out: &mut Vec<u8>, value: f64) {
    out.push(3 << 5 | 8);
    out.extend(value.to_be_bytes());
}

/// An unsigned integer of a type of the format: 5, 6 or 9.
fn number(out: &mut Vec<u8>, kind: u8, value: u64) {
    let bytes = value.to_be_bytes();
    let significant = &bytes[bytes.iter().take_while(|byte| **byte == 0).count()..];
    let length = u8::try_from(significant.len()).unwrap();
    if kind > 7 {
        out.extend([length, kind - 7])
    } else {
        out.push(kind << 5 | length)
    }
    out.extend(significant);
}
