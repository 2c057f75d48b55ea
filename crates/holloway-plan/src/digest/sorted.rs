//! How does data become bytes to be hashed? Lists item by item; of a mapping one level at a time
//! is held back, so that its keys can be put in order. No JSON value of the whole is made.

use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::{Error, Value};

use super::{feed, feed_text};

/// Writes to the end of these bytes.
pub(super) struct Sorted<'a>(pub(super) &'a mut Vec<u8>);

/// Items of a list, perhaps the only field of a mapping.
pub(super) struct Items<'a> {
    bytes: &'a mut Vec<u8>,
    is_wrapped: bool,
}

/// Fields of a mapping, perhaps the only field of another.
pub(super) struct Fields<'a> {
    bytes: &'a mut Vec<u8>,
    entries: Vec<(String, Vec<u8>)>,
    is_wrapped: bool,
}

impl<'a> Sorted<'a> {
    fn leaf(self, value: &Value) {
        feed(self.0, value);
    }

    fn items(self, variant: Option<&str>) -> Items<'a> {
        if let Some(variant) = variant {
            self.0.push(b'{');
            feed_text(self.0, variant);
        }
        self.0.push(b'[');
        Items {
            bytes: self.0,
            is_wrapped: variant.is_some(),
        }
    }

    fn fields(self, variant: Option<&str>) -> Fields<'a> {
        if let Some(variant) = variant {
            self.0.push(b'{');
            feed_text(self.0, variant);
        }
        Fields {
            bytes: self.0,
            entries: Vec::new(),
            is_wrapped: variant.is_some(),
        }
    }
}

impl Items<'_> {
    fn item<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Error> {
        item.serialize(Sorted(self.bytes))
    }

    fn close(self) {
        self.bytes.push(b']');
        if self.is_wrapped {
            self.bytes.push(b'}');
        }
    }
}

impl Fields<'_> {
    fn named(&mut self, key: String) {
        self.entries.push((key, Vec::new()));
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let Some((_, bytes)) = self.entries.last_mut() else {
            return Err(Error::custom("a value without a key"));
        };
        value.serialize(Sorted(bytes))
    }

    fn close(mut self) {
        self.entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        self.bytes.push(b'{');
        let mut fields = self.entries.iter().peekable();
        while let Some((key, value)) = fields.next() {
            // As in JSON, the last one of a name counts.
            if fields.peek().is_some_and(|(next, _)| next == key) {
                continue;
            }
            feed_text(self.bytes, key);
            self.bytes.extend_from_slice(value);
        }
        self.bytes.push(b'}');
        if self.is_wrapped {
            self.bytes.push(b'}');
        }
    }
}

/// Values without parts are written as JSON writes them.
macro_rules! leaves {
    ($($method:ident: $kind:ty),*) => {
        $(fn $method(self, value: $kind) -> Result<(), Error> {
            self.leaf(&serde_json::to_value(value)?);
            Ok(())
        })*
    };
}

impl<'a> Serializer for Sorted<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'a>;
    type SerializeTuple = Items<'a>;
    type SerializeTupleStruct = Items<'a>;
    type SerializeTupleVariant = Items<'a>;
    type SerializeMap = Fields<'a>;
    type SerializeStruct = Fields<'a>;
    type SerializeStructVariant = Fields<'a>;

    leaves!(
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32,
        serialize_i64: i64, serialize_i128: i128, serialize_u8: u8, serialize_u16: u16,
        serialize_u32: u32, serialize_u64: u64, serialize_u128: u128, serialize_f32: f32,
        serialize_f64: f64, serialize_char: char
    );

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        feed_text(self.0, text);
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Error> {
        self.collect_seq(bytes)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.leaf(&Value::Null);
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut fields = self.fields(None);
        fields.named(variant.to_owned());
        fields.value(value)?;
        fields.close();
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'a>, Error> {
        Ok(self.items(None))
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'a>, Error> {
        Ok(self.items(None))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'a>, Error> {
        Ok(self.items(None))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'a>, Error> {
        Ok(self.items(Some(variant)))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Fields<'a>, Error> {
        Ok(self.fields(None))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields<'a>, Error> {
        Ok(self.fields(None))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Fields<'a>, Error> {
        Ok(self.fields(Some(variant)))
    }
}

macro_rules! lists {
    ($($kind:ident: $method:ident),*) => {
        $(impl $kind for Items<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Error> {
                self.item(item)
            }

            fn end(self) -> Result<(), Error> {
                self.close();
                Ok(())
            }
        })*
    };
}

lists!(
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field
);

macro_rules! mappings {
    ($($kind:ident),*) => {
        $(impl $kind for Fields<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
                self.named(key.to_owned());
                self.value(value)
            }

            fn end(self) -> Result<(), Error> {
                self.close();
                Ok(())
            }
        })*
    };
}

mappings!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for Fields<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        // JSON has text as keys, and numbers as such.
        match serde_json::to_value(key)? {
            Value::String(text) => self.named(text),
            number @ (Value::Number(_) | Value::Bool(_)) => self.named(number.to_string()),
            _ => return Err(Error::custom("a key that is no text")),
        }
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.value(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}
