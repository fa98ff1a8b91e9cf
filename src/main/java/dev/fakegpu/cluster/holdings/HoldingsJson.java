package dev.fakegpu.cluster.holdings;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.fakegpu.dra.ClaimConsumer;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Quantity;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Holdings as JSON. Quantities are strings, as in the API.
 *
 * @param podGroups omitted if there are none
 * @param notes problems of the cluster; omitted if there are none
 */
@JsonPropertyOrder({"gpus", "podGroups", "notes"})
public record HoldingsJson(
        List<GpuJson> gpus,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PodGroupJson> podGroups,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> notes) {

    public HoldingsJson {
        gpus = List.copyOf(gpus);
        podGroups = List.copyOf(podGroups);
        notes = List.copyOf(notes);
    }

    /** See {@link Gpu}. */
    @JsonPropertyOrder({"node", "driver", "pool", "gpu", "mode", "holdings", "kinds", "left"})
    public record GpuJson(
            String node,
            String driver,
            String pool,
            String gpu,
            String mode,
            List<HoldingJson> holdings,
            List<KindJson> kinds,
            List<LeftJson> left) {}

    /** See {@link Gpu.Holding}; {@code otherConsumers} has the consumers other than pods for which the claim is reserved. */
    @JsonPropertyOrder({"device", "namespace", "claim", "uid", "created", "pods", "otherConsumers", "share", "notes"})
    public record HoldingJson(
            String device,
            String namespace,
            String claim,
            String uid,
            String created,
            List<String> pods,
            List<ClaimConsumer> otherConsumers,
            Map<String, String> share,
            List<String> notes) {}

    /** See {@link Gpu.KindRoom}; {@code room} is the number found, which is a lower bound if {@code exact} is false. */
    @JsonPropertyOrder({"kind", "devices", "held", "room", "exact", "obstacle"})
    public record KindJson(String kind, int devices, int held, long room, boolean exact, String obstacle) {}

    /** See {@link Gpu.Left}. */
    @JsonPropertyOrder({"of", "name", "left", "total"})
    public record LeftJson(String of, String name, String left, String total) {}

    /** See {@link PodGroupState}; {@code needed} is omitted if its pods are placed one by one, and {@code waits} if none is waiting. */
    @JsonPropertyOrder({"namespace", "name", "running", "pods", "needed", "devices", "nodes", "waits"})
    public record PodGroupJson(
            String namespace,
            String name,
            int running,
            int pods,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer needed,

            List<DeviceId> devices,
            List<String> nodes,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String waits) {}

    public static HoldingsJson of(List<Gpu> gpus, List<PodGroupState> podGroups, List<String> notes) {
        return new HoldingsJson(
                gpus.stream().map(HoldingsJson::gpu).toList(),
                podGroups.stream().map(HoldingsJson::podGroup).toList(),
                notes);
    }

    private static PodGroupJson podGroup(PodGroupState group) {
        return new PodGroupJson(
                group.namespace(),
                group.name(),
                group.running(),
                group.pods(),
                group.needed().orElse(null),
                group.devices(),
                group.nodes(),
                group.waits());
    }

    private static GpuJson gpu(Gpu gpu) {
        return new GpuJson(
                gpu.node(),
                gpu.pool().driver(),
                gpu.pool().name(),
                gpu.name(),
                gpu.mode(),
                gpu.holdings().stream().map(HoldingsJson::holding).toList(),
                gpu.kinds().stream()
                        .map(kind -> new KindJson(
                                kind.kind(),
                                kind.devices(),
                                kind.held(),
                                kind.room().atLeast(),
                                kind.room().isExact(),
                                kind.obstacle()))
                        .toList(),
                gpu.left().stream()
                        .map(left -> new LeftJson(
                                left.of(),
                                left.name(),
                                left.left().toString(),
                                left.total().toString()))
                        .toList());
    }

    private static HoldingJson holding(Gpu.Holding holding) {
        HeldClaim claim = holding.claim();
        return new HoldingJson(
                holding.device(),
                claim.ref().namespace(),
                claim.ref().name(),
                claim.ref().uid(),
                claim.created().toString(),
                claim.pods(),
                claim.others(),
                texts(holding.share()),
                holding.notes());
    }

    private static Map<String, String> texts(Map<String, Quantity> share) {
        return share.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().toString(), (one, other) -> one, TreeMap::new));
    }
}
