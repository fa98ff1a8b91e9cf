package dev.fakegpu.dashboard;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * A piece of hardware: a GPU, or other devices that share counters.
 *
 * @param id unique in the cluster
 * @param name the GPU's, such as {@code gpu-0}
 * @param numaNode such as {@code 0}; empty if its devices have none, or different ones
 * @param pcieRoot such as {@code pci0000:15}; empty likewise
 * @param product what it says that it is; empty if it does not
 * @param fakeGpu the FakeGpu that publishes it; empty for other drivers
 * @param allocator {@code Companion} or {@code KubeScheduler}
 * @param mode see {@link dev.fakegpu.cluster.holdings.Gpu#mode()}
 * @param unhealthy the problem of the hardware, such as {@code gpu-lost}; empty if it works
 * @param strip a drawing of it
 * @param excluded devices that are free but cannot be allocated because of held devices
 * @param room devices that can be allocated, by kind; empty for idle hardware, where all of them can
 * @param counters what is left of counters; empty for idle hardware
 * @param marks anything unusual
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
     * A drawing of the hardware, to scale.
     *
     * @param scale what the full width stands for, such as {@code 8 memory slices} or {@code 40Gi framebuffer}
     * @param slots the number of equal parts into which the width is divided; 0 if it is not divided
     * @param lanes the number of rows; more than 1 if held devices overlap, so that not all of them can work
     */
    @JsonPropertyOrder({"scale", "slots", "lanes", "segments"})
    public record Strip(String scale, int slots, int lanes, List<Segment> segments) {
        public Strip {
            segments = List.copyOf(segments);
        }
    }

    /** The state of a part of the strip. */
    public enum State {
        /** A claim holds it. */
        HELD,
        /** It can be allocated. */
        FREE,
        /** No claim holds it, and no device that uses it can be allocated. */
        BLOCKED
    }

    /**
     * A part of the strip.
     *
     * @param from the start, in ten-thousandths of the width
     * @param device the held device; empty if there is none
     * @param claim its holder as {@code namespace/name}; empty if there is none
     * @param why what blocks it; empty if it is not blocked
     */
    @JsonPropertyOrder({"from", "to", "lane", "state", "device", "claim", "why"})
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Segment(int from, int to, int lane, State state, String device, String claim, String why) {}

    /**
     * A device that a claim holds.
     *
     * @param since the creation time of the claim, as in the API
     * @param pods the pods for which the claim is reserved
     * @param share what the claim consumes of a shared device, such as {@code 10Gi memory}
     * @param groups the compatibility groups that count for it
     * @param classes the device classes that the claim requests
     * @param prepared {@code succeeded} or {@code failed} if the result of its preparation is known; otherwise empty
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
     * @param title what they have in common: groups or kind
     * @param rule the reason, as a sentence without a period
     */
    @JsonPropertyOrder({"title", "devices", "kinds", "rule"})
    public record Excluded(String title, int devices, List<String> kinds, String rule) {
        public Excluded {
            kinds = List.copyOf(kinds);
        }
    }

    /** @param count a number or a range, such as {@code 4} or {@code 7 to 9} */
    @JsonPropertyOrder({"kind", "count"})
    public record Room(String kind, String count) {}

    /** @param of the counter set or device */
    @JsonPropertyOrder({"of", "name", "left", "total"})
    public record CounterView(String of, String name, String left, String total) {}

    /** The subject of a mark. */
    public enum MarkKind {
        /** A taint that prevents the allocation of devices or describes them. */
        TAINT,
        /** The hardware does not work. */
        UNHEALTHY,
        /** A change that is delayed until devices are released. */
        CHANGE,
        /** An injected fault. */
        FAULT
    }

    /** @param devices the number of devices concerned; 0 for the hardware as a whole */
    @JsonPropertyOrder({"kind", "text", "devices"})
    public record Mark(MarkKind kind, String text, int devices) {}
}
