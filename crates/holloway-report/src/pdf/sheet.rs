//! How large are paper, margins and letters? In points.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Paper {
    #[default]
    A4,
    Letter,
}

pub(crate) const MARGIN: f32 = 54.0;
/// From the lower edge of the text to the lower edge of the paper.
pub(crate) const FOOT: f32 = 62.0;

impl Paper {
    pub(crate) fn size(self) -> (f32, f32) {
        match self {
            Self::A4 => (595.28, 841.89),
            Self::Letter => (612.0, 792.0),
        }
    }

    pub(crate) fn text_width(self) -> f32 {
        self.size().0 - 2.0 * MARGIN
    }

    pub(crate) fn text_height(self) -> f32 {
        self.size().1 - MARGIN - FOOT
    }
}

/// Size, distance between lines, colour and weight of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    pub(crate) size: f32,
    pub(crate) leading: f32,
    pub(crate) colour: u32,
}

pub(crate) const INK: u32 = 0x1b_2433;
pub(crate) const MUTED: u32 = 0x5b_6678;
pub(crate) const LINE: u32 = 0xdf_e3ea;
pub(crate) const SOFT: u32 = 0xf4_f6f9;
pub(crate) const LINK: u32 = 0x1f_5fa8;
pub(crate) const ACCENT: u32 = 0x2c_62a6;

pub(crate) const BODY: Face = Face {
    size: 9.5,
    leading: 14.2,
    colour: INK,
};
pub(crate) const LEAD: Face = Face {
    size: 11.0,
    leading: 16.8,
    colour: INK,
};
pub(crate) const SMALL: Face = Face {
    size: 8.2,
    leading: 11.8,
    colour: MUTED,
};
pub(crate) const CELL: Face = Face {
    size: 8.4,
    leading: 11.6,
    colour: INK,
};
pub(crate) const CODE: Face = Face {
    size: 8.0,
    leading: 11.8,
    colour: INK,
};
pub(crate) const TITLE: Face = Face {
    size: 24.0,
    leading: 29.0,
    colour: INK,
};
pub(crate) const SUBTITLE: Face = Face {
    size: 12.5,
    leading: 17.5,
    colour: MUTED,
};
pub(crate) const CHAPTER: Face = Face {
    size: 16.0,
    leading: 21.0,
    colour: INK,
};
pub(crate) const SECTION: Face = Face {
    size: 12.5,
    leading: 17.0,
    colour: INK,
};
pub(crate) const MINOR: Face = Face {
    size: 10.2,
    leading: 14.5,
    colour: INK,
};
