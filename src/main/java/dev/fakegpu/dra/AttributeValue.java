package dev.fakegpu.dra;

import java.util.List;

/**
 * The value of a device attribute ({@code resource.k8s.io/v1} DeviceAttribute): a value of one of four kinds, or a list of values of one
 * kind (KEP-5491).
 */
public sealed interface AttributeValue {

    record StringValue(String value) implements AttributeValue {
        @Override
        public String toString() {
            return value;
        }
    }

    record IntValue(long value) implements AttributeValue {
        @Override
        public String toString() {
            return Long.toString(value);
        }
    }

    record BoolValue(boolean value) implements AttributeValue {
        @Override
        public String toString() {
            return Boolean.toString(value);
        }
    }

    /** A version in the format of Semantic Versioning 2.0.0, compared as text outside of CEL. */
    record VersionValue(String value) implements AttributeValue {
        @Override
        public String toString() {
            return value;
        }
    }

    /** Several values of one kind; never a list of lists. */
    record ListValue(Kind kind, List<AttributeValue> values) implements AttributeValue {
        public ListValue {
            values = List.copyOf(values);
        }

        @Override
        public String toString() {
            return values.toString();
        }
    }

    /** A value of an unknown kind, written by a newer version of the API. */
    record Unknown() implements AttributeValue {}

    /** The kind of a list's elements. */
    enum Kind {
        STRING,
        INT,
        BOOL,
        VERSION
    }

    static AttributeValue of(String value) {
        return new StringValue(value);
    }

    static AttributeValue of(long value) {
        return new IntValue(value);
    }

    static AttributeValue of(boolean value) {
        return new BoolValue(value);
    }

    static AttributeValue version(String value) {
        return new VersionValue(value);
    }

    static AttributeValue strings(List<String> values) {
        return new ListValue(
                Kind.STRING, values.stream().map(AttributeValue::of).toList());
    }

    static AttributeValue ints(List<Long> values) {
        return new ListValue(Kind.INT, values.stream().map(AttributeValue::of).toList());
    }

    static AttributeValue bools(List<Boolean> values) {
        return new ListValue(Kind.BOOL, values.stream().map(AttributeValue::of).toList());
    }

    static AttributeValue versions(List<String> values) {
        return new ListValue(
                Kind.VERSION, values.stream().map(AttributeValue::version).toList());
    }
}
