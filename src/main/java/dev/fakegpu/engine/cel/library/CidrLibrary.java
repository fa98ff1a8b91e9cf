package dev.fakegpu.engine.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.fakegpu.engine.cel.value.Cidr;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.IpAddress;

/** {@code cidr("10.0.0.0/8")} and its functions. Upstream: {@code apiserver/pkg/cel/library/cidr.go}. */
final class CidrLibrary extends FunctionLibrary {

    private static final CelType TYPE = Cidr.TYPE;

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
                IpAddress.TYPE,
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
        member("ip", "cidr_ip", IpAddress.TYPE, TYPE, Cidr::address);
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
