package dev.fakegpu.engine.cel.value;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;

/** A range of IP addresses with a common prefix. Upstream: {@code apiserver/pkg/cel/cidr.go}. */
public record Cidr(IpAddress address, int prefix) implements OpaqueValue {

    public static final CelType TYPE = OpaqueType.create("net.CIDR");

    /** @throws Failure if the text is not a CIDR */
    public static Cidr parse(String text) {
        int slash = text.lastIndexOf('/');
        String bits = text.substring(slash + 1);
        if (slash < 0 || !bits.matches("0|[1-9]\\d{0,2}")) {
            throw invalid(text);
        }
        var address = IpAddress.parse(text.substring(0, slash));
        int prefix = Integer.parseInt(bits);
        if (prefix > address.bits()) {
            throw invalid(text);
        }
        return new Cidr(address, prefix);
    }

    private static Failure invalid(String text) {
        return new Failure("network address parse error during conversion from string: \"" + text + "\"");
    }

    public Cidr masked() {
        return new Cidr(address.masked(prefix), prefix);
    }

    public boolean contains(IpAddress other) {
        return address.family() == other.family() && address.masked(prefix).equals(other.masked(prefix));
    }

    public boolean contains(Cidr other) {
        return prefix <= other.prefix && contains(other.address);
    }

    @Override
    public CelType type() {
        return TYPE;
    }

    /** The number of bytes that contain the prefix, as upstream counts them. */
    @Override
    public long size() {
        return (prefix + 7) / 8;
    }

    @Override
    public String toString() {
        return address + "/" + prefix;
    }
}
