package dev.fakegpu.hardware.inventory.field;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An IP address and the length of the prefix of its network. Upstream: {@code IsValidInterfaceAddress} in {@code
 * apimachinery/pkg/util/validation/ip.go}.
 *
 * @param bits the length of the address, 32 or 128
 */
record InterfaceAddress(BigInteger number, int bits, int prefix) {

    private static final int IPV4 = 32;

    /** The difference between the prefix lengths of an IPv4-mapped IPv6 address and the IPv4 address. */
    private static final int MAPPED = 96;

    /** With two bits, a network has two addresses besides the network and broadcast addresses. */
    private static final int MIN_HOST_BITS = 2;

    /** Matches only text for which {@link InetAddress} does no DNS lookup: numbers with dots, or anything with colons. */
    private static final Pattern WRITTEN =
            Pattern.compile("(%1$s(?:\\.%1$s){3}|[\\p{XDigit}.]*:[\\p{XDigit}:.]*)/(\\d{1,3})"
                    .formatted("(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)"));

    /** Parses an address; empty if it is malformed. An IPv4-mapped IPv6 address becomes an IPv4 address. */
    static Optional<InterfaceAddress> parse(String written) {
        Matcher parts = WRITTEN.matcher(written);
        if (!parts.matches()) {
            return Optional.empty();
        }
        try {
            byte[] bytes = InetAddress.getByName(parts.group(1)).getAddress();
            int bits = 8 * bytes.length;
            boolean isMapped = bits == IPV4 && parts.group(1).contains(":");
            int prefix = Integer.parseInt(parts.group(2)) - (isMapped ? MAPPED : 0);
            return prefix < 0 || prefix > bits
                    ? Optional.empty()
                    : Optional.of(new InterfaceAddress(new BigInteger(1, bytes), bits, prefix));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    private BigInteger size() {
        return BigInteger.ONE.shiftLeft(bits - prefix);
    }

    /** Whether this is the address of a network that has addresses for interfaces. */
    boolean isRange() {
        return bits - prefix >= MIN_HOST_BITS && number.mod(size()).signum() == 0;
    }

    /** An address of the network, always the same one for the same number. */
    InterfaceAddress select(BigInteger which) {
        BigInteger host = which.mod(size().subtract(BigInteger.TWO)).add(BigInteger.ONE);
        return new InterfaceAddress(number.add(host), bits, prefix);
    }

    /** The canonical form. IPv6 is in lower case, and the longest run of zeros is omitted (RFC 5952). */
    @Override
    public String toString() {
        return (bits == IPV4 ? joined(8, ".", 10) : shortened(":" + joined(16, ":", 16) + ":")) + "/" + prefix;
    }

    private String joined(int width, String separator, int radix) {
        return IntStream.rangeClosed(1, bits / width)
                .mapToObj(i -> number.shiftRight(bits - i * width)
                        .mod(BigInteger.ONE.shiftLeft(width))
                        .toString(radix))
                .collect(Collectors.joining(separator));
    }

    /** Omits the longest run of at least two zeros; of equally long ones, the first. */
    private static String shortened(String groups) {
        for (int zeros = 8; zeros >= 2; zeros--) {
            String run = ":0".repeat(zeros) + ":";
            if (groups.contains(run)) {
                String shown = groups.replaceFirst(run, "::");
                return shown.substring(shown.startsWith("::") ? 0 : 1, shown.length() - (shown.endsWith("::") ? 0 : 1));
            }
        }
        return groups.substring(1, groups.length() - 1);
    }
}
