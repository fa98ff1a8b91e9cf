package dev.fakegpu.dashboard;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * A piece of hardware: a GPU, or whatever shares counters.
 *
 * @param id unique in the cluster
 * @param name the GPU's, such as {@code gpu-0}
 * @param numaNode such as {@code 0}; empty if its devices have none, or different ones
 * @param pcieRoot such as {@code pci0000:15}; empty likewise
 * @param product what it says that it is; empty if it does not
 * @param fakeGpu the FakeGpu that publishes it; empty for other drivers
 * @param allocator {@code Companion} or {@code KubeScheduler}
 * @param mode as {@link dev.fakegpu.cluster.holdings.Gpu#mode()} has it
 * @param unhealthy what is wrong with the hardware, such as {@code gpu-lost}; empty if it works
 * @param strip the picture of it
 * @param excluded devices that are free, but cannot be allocated because of those that are held
 * @param room devices that can be allocated, by kind; not said for idle hardware, where it is everything
 * @param counters what is left, of hardware that is not idle
 * @param marks what is unusual
 */
@JsonPropertyOrder({
    "id",
    "driver",
    "pool",
    "name",
    "numaNode",
    "pcieRoot",
    "product",
    "fakeGpu",
    "allocator",
    "mode",
    "unhealthy",
    "devices",
    "strip",
    "holdings",
    "excluded",
    "room",
    "counters",
    "marks"
})
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record GpuView(
        String id,
        String driver,
        String pool,
        String name,
        String numaNode,
        String pcieRoot,
        String product,
        String fakeGpu,
        String allocator,
        String mode,
        List<String> unhealthy,
        int devices,
        Strip strip,
        List<HoldingView> holdings,
        List<Excluded> excluded,
        List<Room> room,
        List<CounterView> counters,
        List<Mark> marks) {

    public GpuView {
        unhealthy = List.copyOf(unhealthy);
        holdings = List.copyOf(holdings);
        excluded = List.copyOf(excluded);
        room = List.copyOf(room);
        counters = List.copyOf(counters);
        marks = List.copyOf(marks);
    }

    /**
     * The hardware to scale.
     *
     * @param scale what the whole width is, such as {@code 8 memory slices} or {@code 40Gi framebuffer}
     * @param slots in how many equal parts the width is divided; 0 if it is not
     * @param lanes how many rows are needed; more than 1 if what is held overlaps, so that not all of it can work
     */
    @JsonPropertyOrder({"scale", "slots", "lanes", "segments"})
    public record Strip(String scale, int slots, int lanes, List<Segment> segments) {
        public Strip {
            segments = List.copyOf(segments);
        }
    }

    /** What a part of the strip is. */
    public enum State {
        /** A claim holds it. */
        HELD,
        /** It can be allocated. */
        FREE,
        /** Nobody holds it, and no device that uses it can be allocated. */
        BLOCKED
    }

    /**
     * A part of the strip.
     *
     * @param from in ten-thousandths of the width
     * @param device the one that is held; empty if none is
     * @param claim its holder as {@code namespace/name}; empty if there is none
     * @param why what blocks it; empty unless it is blocked
     */
    @JsonPropertyOrder({"from", "to", "lane", "state", "device", "claim", "why"})
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Segment(int from, int to, int lane, State state, String device, String claim, String why) {}

    /**
     * A device that a claim holds.
     *
     * @param since when the claim was created, as in the API
     * @param pods for which it is reserved
     * @param share what the claim consumes of a shared device, such as {@code 10Gi memory}
     * @param groups compatibility groups that count for it
     * @param classes the device classes that the claim asks for
     * @param prepared whether its preparation is known to have {@code succeeded} or {@code failed}; empty if neither
     * @param problem why its preparation failed
     */
    @JsonPropertyOrder({"device", "claim", "since", "pods", "share", "groups", "classes", "prepared", "problem", "notes"
    })
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record HoldingView(
            String device,
            String claim,
            String since,
            List<String> pods,
            List<String> share,
            List<String> groups,
            List<String> classes,
            String prepared,
            String problem,
            List<String> notes) {
        public HoldingView {
            pods = List.copyOf(pods);
            share = List.copyOf(share);
            groups = List.copyOf(groups);
            classes = List.copyOf(classes);
            notes = List.copyOf(notes);
        }
    }

    /**
     * Devices that are excluded for the same reason.
     *
     * @param title what they have in common: their groups, or their kind
     * @param rule why, as a sentence without a period
     */
    @JsonPropertyOrder({"title", "devices", "kinds", "rule"})
    public record Excluded(String title, int devices, List<String> kinds, String rule) {
        public Excluded {
            kinds = List.copyOf(kinds);
        }
    }

    /** @param count such as {@code 4} or {@code 7 to 9} */
    @JsonPropertyOrder({"kind", "count"})
    public record Room(String kind, String count) {}

    /** @param of the counter set or the device */
    @JsonPropertyOrder({"of", "name", "left", "total"})
    public record CounterView(String of, String name, String left, String total) {}

    /** What a mark is about. */
    public enum MarkKind {
        /** A taint that keeps devices from being allocated, or says something about them. */
        TAINT,
        /** The hardware does not work. */
        UNHEALTHY,
        /** A change waits until devices are released. */
        CHANGE,
        /** Something is made to fail. */
        FAULT
    }

    /** @param devices how many it is about; 0 for the hardware as a whole */
    @JsonPropertyOrder({"kind", "text", "devices"})
    public record Mark(MarkKind kind, String text, int devices) {}
}
