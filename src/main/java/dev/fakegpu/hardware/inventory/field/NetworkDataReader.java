package dev.fakegpu.hardware.inventory.field;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fakegpu.api.NetworkDataSpec;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.NetworkData;
import dev.fakegpu.util.Sha256;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts the network data of a device. It validates the data as an API server validates the result in a claim's status
 * ({@code validateNetworkDeviceData} in {@code pkg/apis/resource/validation/validation.go}).
 */
public final class NetworkDataReader {

    private static final int MAC_BYTES = 6;
    private static final DeviceId EXAMPLE = new DeviceId("nic.example.com", "node-1", "nic-0");

    private NetworkDataReader() {}

    public static void check(String field, NetworkDataSpec data, Problems problems) {
        checkLength(field + ".interfaceName", data.interfaceName(), Limits.INTERFACE_NAME, problems);
        checkLength(field + ".hardwareAddress", data.hardwareAddress(), Limits.HARDWARE_ADDRESS, problems);
        problems.ifMoreThan(
                Limits.IPS, data.ips().size() + data.ipRanges().size(), field + ".ips", "addresses, with ipRanges");
        checkAll(field + ".ips", data.ips(), "192.0.2.5/24 or 2001:db8::5/64", false, problems);
        checkAll(field + ".ipRanges", data.ipRanges(), "10.9.0.0/16 or 2001:db8::/64", true, problems);
        if (data.data() != null) {
            StatusData.check(field + ".data", data.data(), interfaceOf(data, EXAMPLE, null), problems);
        }
    }

    private static void checkLength(String field, @Nullable String text, int bytes, Problems problems) {
        if (text != null && text.getBytes(UTF_8).length > bytes) {
            problems.add(field, text, "is too long", "at most " + bytes + " bytes");
        }
    }

    private static void checkAll(String field, List<String> all, String example, boolean areRanges, Problems problems) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < all.size(); i++) {
            String at = field + "[" + i + "]";
            String written = all.get(i);
            var address = InterfaceAddress.parse(written);
            if (address.isEmpty()) {
                problems.add(at, written, "is not an address with the length of its prefix", "for example " + example);
            } else if (!address.get().toString().equals(written)) {
                problems.add(
                        at, written, "is not in canonical form", address.get().toString());
            } else if (areRanges && !address.get().isRange()) {
                problems.add(at, written, "is not a network of several addresses", "for example " + example);
            }
            problems.ifSeen(seen, at, written, "each once");
        }
    }

    /**
     * The network data for a claim's status.
     *
     * @param data must have been accepted by {@link #check}
     * @param shareId null if the device is not shared
     */
    public static NetworkData read(NetworkDataSpec data, DeviceId device, @Nullable String shareId) {
        NetworkData network = interfaceOf(data, device, shareId);
        return data.data() == null ? network : network.withData(StatusData.filled(data.data(), network, shareId));
    }

    /** The network data without {@code data}. */
    private static NetworkData interfaceOf(NetworkDataSpec data, DeviceId device, @Nullable String shareId) {
        String hash = Sha256.hex((device + "/" + Objects.requireNonNullElse(shareId, "")).getBytes(UTF_8));
        var number = new BigInteger(hash, 16);
        var ips = new ArrayList<>(data.ips());
        data.ipRanges().stream()
                .flatMap(range -> InterfaceAddress.parse(range).stream())
                .map(range -> range.select(number).toString())
                .filter(address -> !ips.contains(address))
                .forEach(ips::add);
        return new NetworkData(
                data.interfaceName(),
                ips,
                Objects.requireNonNullElseGet(data.hardwareAddress(), () -> mac(hash)),
                null);
    }

    /** The bit 02 in the first byte marks a locally administered address, which no vendor assigns. */
    private static String mac(String hash) {
        var mac = new StringBuilder("02");
        for (int i = 1; i < MAC_BYTES; i++) {
            mac.append(':').append(hash, 2 * i, 2 * i + 2);
        }
        return mac.toString();
    }
}
