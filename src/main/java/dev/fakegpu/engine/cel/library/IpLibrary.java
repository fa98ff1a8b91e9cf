package dev.fakegpu.engine.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.IpAddress;

/** {@code ip("10.0.0.1")} and its functions. Upstream: {@code apiserver/pkg/cel/library/ip.go}. */
final class IpLibrary extends FunctionLibrary {

    private static final CelType TYPE = IpAddress.TYPE;

    IpLibrary() {
        global("ip", "string_to_ip", TYPE, SimpleType.STRING, IpAddress::parse);
        global("isIP", "is_ip", SimpleType.BOOL, SimpleType.STRING, IpLibrary::isIp);
        global(
                "ip.isCanonical",
                "ip_is_canonical",
                SimpleType.BOOL,
                SimpleType.STRING,
                (String text) -> IpAddress.parse(text).toString().equals(text));
        global("string", "ip_to_string", SimpleType.STRING, TYPE, IpAddress::toString);
        member("family", "ip_family", SimpleType.INT, TYPE, IpAddress::family);
        member("isUnspecified", "ip_is_unspecified", SimpleType.BOOL, TYPE, IpAddress::isUnspecified);
        member("isLoopback", "ip_is_loopback", SimpleType.BOOL, TYPE, IpAddress::isLoopback);
        member(
                "isLinkLocalMulticast",
                "ip_is_link_local_multicast",
                SimpleType.BOOL,
                TYPE,
                IpAddress::isLinkLocalMulticast);
        member("isLinkLocalUnicast", "ip_is_link_local_unicast", SimpleType.BOOL, TYPE, IpAddress::isLinkLocalUnicast);
        member("isGlobalUnicast", "ip_is_global_unicast", SimpleType.BOOL, TYPE, IpAddress::isGlobalUnicast);
    }

    private static boolean isIp(String text) {
        try {
            IpAddress.parse(text);
            return true;
        } catch (Failure e) {
            return false;
        }
    }
}
