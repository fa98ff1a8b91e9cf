package dev.fakegpu.dashboard;

import dev.fakegpu.cluster.holdings.Gpu;
import dev.fakegpu.cluster.holdings.Gpu.Holding;
import dev.fakegpu.dashboard.GpuView.Segment;
import dev.fakegpu.dashboard.GpuView.State;
import dev.fakegpu.dashboard.GpuView.Strip;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Determines the position of devices on a piece of hardware. Each counter set is a {@link Track}, and all tracks have the same width;
 * hardware without counters has one track. Within a track, devices with numbered counters, such as the memory slices of MIG devices, are at
 * these counters. Other devices are as wide as their largest share of any counter, and are at the slot with their number (vGPUs) or at the
 * first free position. Claims that share a device divide its range.
 */
final class StripLayout {

    static final int WIDTH = 10_000;

    private final Gpu gpu;
    private final List<Track> tracks;
    private final List<Segment> segments = new ArrayList<>();

    private StripLayout(Gpu gpu) {
        this.gpu = gpu;
        tracks = Track.of(gpu);
    }

    static Strip of(Gpu gpu) {
        return new StripLayout(gpu).strip();
    }

    private Strip strip() {
        Map<String, Device> published = new LinkedHashMap<>();
        gpu.hardware().devices().forEach(state -> published.put(state.device().name(), state.device()));
        Map<String, List<Holding>> holders = gpu.holdings().stream()
                .collect(Collectors.groupingBy(Holding::device, LinkedHashMap::new, Collectors.toList()));
        holders.forEach((name, holdings) -> {
            Device device = published.get(name);
            if (device != null) {
                place(device, holdings);
            }
        });
        int lanes = 1 + segments.stream().mapToInt(Segment::lane).max().orElse(0);
        if (!gpu.hardware().devices().isEmpty()) {
            tracks.forEach(this::fillGaps);
        }
        segments.sort(Comparator.comparingInt(Segment::lane).thenComparingInt(Segment::from));
        return new Strip(scale(), slots(), lanes, segments);
    }

    private void place(Device device, List<Holding> holdings) {
        for (Track track : tracks) {
            List<Track.Range> ranges = track.ranges(device, held(track));
            int lane = freeLane(ranges);
            for (Track.Range range : ranges) {
                if (device.allowMultipleAllocations()) {
                    share(device, holdings, range, lane);
                } else {
                    holdings.forEach(holding -> segments.add(held(range, freeLane(List.of(range)), holding)));
                }
            }
        }
    }

    private static Segment held(Track.Range range, int lane, Holding holding) {
        return new Segment(
                range.from(),
                range.to(),
                lane,
                State.HELD,
                holding.device(),
                holding.claim().ref().toString(),
                "");
    }

    /** Places the shares side by side, each as wide as the largest share of a capacity that it consumes. */
    private void share(Device device, List<Holding> holdings, Track.Range range, int lane) {
        int at = range.from();
        for (Holding holding : holdings) {
            int width = (int) Math.round(part(device, holding) * (range.to() - range.from()));
            int end = Math.min(range.to(), at + Math.max(1, width));
            segments.add(held(new Track.Range(Math.min(at, end - 1), end), lane, holding));
            at = end;
        }
    }

    private static double part(Device device, Holding holding) {
        double largest = 0;
        for (Map.Entry<String, DeviceCapacity> capacity : device.capacity().entrySet()) {
            Quantity consumed = holding.share().get(capacity.getKey());
            if (consumed != null) {
                largest =
                        Math.max(largest, fraction(consumed, capacity.getValue().value()));
            }
        }
        return largest;
    }

    static double fraction(Quantity amount, Quantity total) {
        return total.signum() <= 0
                ? 0
                : amount.value()
                        .divide(total.value(), MathContext.DECIMAL64)
                        .min(BigDecimal.ONE)
                        .max(BigDecimal.ZERO)
                        .doubleValue();
    }

    private List<Track.Range> held(Track track) {
        return segments.stream()
                .filter(segment -> segment.from() >= track.start() && segment.to() <= track.end())
                .map(segment -> new Track.Range(segment.from(), segment.to()))
                .toList();
    }

    /** The first row without any other device. */
    private int freeLane(List<Track.Range> ranges) {
        int lane = 0;
        while (isTaken(lane, ranges)) {
            lane++;
        }
        return lane;
    }

    private boolean isTaken(int lane, List<Track.Range> ranges) {
        return segments.stream()
                .filter(segment -> segment.lane() == lane)
                .anyMatch(segment ->
                        ranges.stream().anyMatch(range -> range.from() < segment.to() && segment.from() < range.to()));
    }

    /** Fills what is not held: free where an allocatable device would be, blocked elsewhere. */
    private void fillGaps(Track track) {
        List<Track.Range> held = held(track);
        List<Track.Range> allocatable = track.allocatable(gpu, held);
        String why = obstacle();
        for (Track.Range gap : Track.gaps(track.start(), track.end(), held)) {
            List<Track.Range> blocked = Track.gaps(gap.from(), gap.to(), allocatable);
            blocked.forEach(range -> segments.add(open(range, State.BLOCKED, why)));
            Track.gaps(gap.from(), gap.to(), blocked).forEach(range -> segments.add(open(range, State.FREE, "")));
        }
    }

    private static Segment open(Track.Range range, State state, String why) {
        return new Segment(range.from(), range.to(), 0, state, "", "", why);
    }

    /** The most frequent obstacle of devices that no claim holds. */
    private String obstacle() {
        return gpu.hardware().devices().stream()
                .map(Gpu.DeviceState::obstacle)
                .filter(obstacle -> !obstacle.isEmpty() && !obstacle.equals("held"))
                .collect(Collectors.groupingBy(obstacle -> obstacle, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse("");
    }

    private String scale() {
        String one = tracks.get(0).scale(gpu);
        return tracks.size() == 1 ? one : tracks.size() + " × " + one;
    }

    /** The total number of equal parts of all tracks, if each has the same number. */
    private int slots() {
        int first = tracks.get(0).slots(gpu);
        return tracks.stream().allMatch(track -> track.slots(gpu) == first) ? first * tracks.size() : 0;
    }
}
