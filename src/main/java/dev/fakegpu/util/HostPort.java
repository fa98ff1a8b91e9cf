package dev.fakegpu.util;

/** A host and a port in a URL (RFC 3986): addresses of IPv6 have colons, so they are in brackets. */
public final class HostPort {

    private HostPort() {}

    /** @param host a name or an address, with or without brackets */
    public static String of(String host, int port) {
        return (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
    }
}
