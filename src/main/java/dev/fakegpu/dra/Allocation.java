package dev.fakegpu.dra;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a claim was given.
 *
 * @param results in the order of the claim's requests
 * @param configs those of classes first, then the claim's, in upstream's order
 * @param nodeSelector the nodes that can use the devices; null means all
 */
public record Allocation(
        List<Result> results,
        List<Config> configs,
        @Nullable NodeSelector nodeSelector) {

    /** One device for one request. */
    public record Result(String request, DeviceId device, List<DeviceToleration> tolerations) {
        public Result {
            tolerations = List.copyOf(tolerations);
        }
    }

    /** Where configuration came from ({@code FromClass} or {@code FromClaim}). */
    public enum Source {
        FromClass,
        FromClaim
    }

    public record Config(Source source, OpaqueConfig opaque) {}

    public Allocation {
        results = List.copyOf(results);
        configs = List.copyOf(configs);
    }
}
