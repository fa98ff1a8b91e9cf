package dev.fakegpu.dra;

/** The value of a device attribute: exactly one of the four kinds of {@code resource.k8s.io/v1} DeviceAttribute. */
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

    /** A semantic version 2.0.0, compared as text outside of CEL. */
    record VersionValue(String value) implements AttributeValue {
        @Override
        public String toString() {
            return value;
        }
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
}
