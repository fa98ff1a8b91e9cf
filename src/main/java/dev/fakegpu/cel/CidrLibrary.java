package dev.fakegpu.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;

/** {@code cidr("10.0.0.0/8")} and what can be done with it. Upstream: {@code apiserver/pkg/cel/library/cidr.go}. */
final class CidrLibrary extends FunctionLibrary {

    static final CelType TYPE = OpaqueType.create("net.CIDR");

    CidrLibrary() {
        global("cidr", "string_to_cidr", TYPE, SimpleType.STRING, Cidr::parse);
        global("isCIDR", "is_cidr", SimpleType.BOOL, SimpleType.STRING, CidrLibrary::isCidr);
        global("string", "cidr_to_string", SimpleType.STRING, TYPE, Cidr::toString);
        member(
                "containsIP",
                "cidr_contains_ip_string",
                SimpleType.BOOL,
                TYPE,
                SimpleType.STRING,
                (Cidr range, String text) -> range.contains(IpAddress.parse(text)));
        member(
                "containsIP",
                "cidr_contains_ip_ip",
                SimpleType.BOOL,
                TYPE,
                IpLibrary.TYPE,
                (Cidr range, IpAddress address) -> range.contains(address));
        member(
                "containsCIDR",
                "cidr_contains_cidr_string",
                SimpleType.BOOL,
                TYPE,
                SimpleType.STRING,
                (Cidr range, String text) -> range.contains(Cidr.parse(text)));
        member(
                "containsCIDR",
                "cidr_contains_cidr",
                SimpleType.BOOL,
                TYPE,
                TYPE,
                (Cidr range, Cidr other) -> range.contains(other));
        member("ip", "cidr_ip", IpLibrary.TYPE, TYPE, Cidr::address);
        member("prefixLength", "cidr_prefix_length", SimpleType.INT, TYPE, (Cidr range) -> (long) range.prefix());
        member("masked", "cidr_masked", TYPE, TYPE, Cidr::masked);
    }

    private static boolean isCidr(String text) {
        try {
            Cidr.parse(text);
            return true;
        } catch (Failure e) {
            return false;
        }
    }
}
