package dev.fakegpu.dashboard;

import dev.fakegpu.cluster.holdings.Gpu;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A part of a strip: a counter set, or hardware without counters.
 *
 * @param set the counter set; null for hardware without counters
 * @param places the names of numbered counters with a value of one, such as {@code memory-slice-0}, by number. For static MIG devices,
 *     which have no counters, these are the capacities {@code memorySlice0} and so on. If there would be fewer than two, the list is empty
 */
record Track(int start, int end, @Nullable CounterSet set, List<String> places) {

    private static final Pattern NUMBERED = Pattern.compile("(.*?)-?(\\d+)");

    private static final Pattern MEMORY_SLICE = Pattern.compile("memorySlice(\\d{1,2})");

    /** A range of the width. */
    record Range(int from, int to) {}

    /** The tracks of a piece of hardware, side by side. */
    static List<Track> of(Gpu gpu) {
        List<CounterSet> sets = gpu.hardware().sets();
        if (sets.isEmpty()) {
            return List.of(new Track(0, StripLayout.WIDTH, null, places(gpu)));
        }
        int count = sets.size();
        return IntStream.range(0, count)
                .mapToObj(i -> new Track(
                        StripLayout.WIDTH * i / count,
                        StripLayout.WIDTH * (i + 1) / count,
                        sets.get(i),
                        places(sets.get(i).counters())))
                .toList();
    }

    /** The memory slices of a GPU with static MIG devices, each of which has only its own: all slices up to the last one. */
    private static List<String> places(Gpu gpu) {
        int last = gpu.hardware().devices().stream()
                .flatMap(state -> state.device().capacity().keySet().stream())
                .map(MEMORY_SLICE::matcher)
                .filter(Matcher::matches)
                .mapToInt(slice -> Integer.parseInt(slice.group(1)))
                .max()
                .orElse(0);
        return last == 0
                ? List.of()
                : IntStream.rangeClosed(0, last)
                        .mapToObj(slice -> "memorySlice" + slice)
                        .toList();
    }

    private static Map<String, Quantity> capacity(Device device) {
        return device.capacity().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, capacity -> capacity.getValue().value()));
    }

    private static List<String> places(Map<String, Quantity> amounts) {
        Map<String, List<String>> byStem = new TreeMap<>();
        amounts.forEach((name, total) -> {
            Matcher numbered = NUMBERED.matcher(name);
            if (numbered.matches() && total.equals(Quantity.ONE)) {
                byStem.computeIfAbsent(numbered.group(1), ignored -> new ArrayList<>())
                        .add(name);
            }
        });
        return byStem.values().stream()
                .max(Comparator.comparingInt(List::size))
                .filter(names -> names.size() > 1)
                .map(names -> names.stream()
                        .sorted(Comparator.comparingInt(Track::number))
                        .toList())
                .orElse(List.of());
    }

    private static int number(String name) {
        Matcher numbered = NUMBERED.matcher(name);
        return numbered.matches() && numbered.group(2).length() < 9 ? Integer.parseInt(numbered.group(2)) : 0;
    }

    /** The ranges of a device; empty if it does not use this counter set. */
    List<Range> ranges(Device device, List<Range> held) {
        if (set == null) {
            List<Range> ofPlaces = ofPlaces(capacity(device));
            return ofPlaces.isEmpty() ? List.of(new Range(start, end)) : ofPlaces;
        }
        return consumption(device).map(entry -> ranges(device, entry, held)).orElse(List.of());
    }

    private Optional<CounterConsumption> consumption(Device device) {
        return device.consumesCounters().stream()
                .filter(entry -> set != null && entry.counterSet().equals(set.name()))
                .findFirst();
    }

    private List<Range> ranges(Device device, CounterConsumption entry, List<Range> held) {
        List<Range> ofPlaces = ofPlaces(entry.counters());
        if (!ofPlaces.isEmpty()) {
            return ofPlaces;
        }
        int width = (int) Math.round(part(entry) * (end - start));
        return width == 0 ? List.of() : List.of(ofWidth(width, number(device.name()), held));
    }

    private List<Range> ofPlaces(Map<String, Quantity> amounts) {
        var ranges = new ArrayList<Range>();
        for (int i = 0; i < places.size(); i++) {
            Quantity amount = amounts.get(places.get(i));
            if (amount == null || amount.signum() <= 0) {
                continue;
            }
            Range last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
            if (last != null && last.to() == at(i)) {
                ranges.set(ranges.size() - 1, new Range(last.from(), at(i + 1)));
            } else {
                ranges.add(new Range(at(i), at(i + 1)));
            }
        }
        return ranges;
    }

    private int at(int place) {
        return start + (end - start) * place / places.size();
    }

    private double part(CounterConsumption entry) {
        return entry.counters().entrySet().stream()
                .mapToDouble(counter -> total(counter.getKey())
                        .map(total -> StripLayout.fraction(counter.getValue(), total))
                        .orElse(0.0))
                .max()
                .orElse(0);
    }

    private Optional<Quantity> total(String counter) {
        CounterSet known = set;
        return known == null
                ? Optional.empty()
                : Optional.ofNullable(known.counters().get(counter));
    }

    /** Returns the position with the device's number if it is free, otherwise the first gap, otherwise the beginning. */
    private Range ofWidth(int width, int number, List<Range> held) {
        long from = start + (long) number * width;
        if (from + width <= end + 1L) {
            var own = new Range((int) from, (int) Math.min(end, from + width));
            if (held.stream().noneMatch(other -> other.from() < own.to() && own.from() < other.to())) {
                return own;
            }
        }
        return gaps(start, end, held).stream()
                .filter(gap -> gap.to() - gap.from() >= width - 1)
                .findFirst()
                .map(gap -> new Range(gap.from(), Math.min(gap.to(), gap.from() + width)))
                .orElse(new Range(start, Math.min(end, start + width)));
    }

    /** The parts between {@code from} and {@code to} that are not covered by the ranges. */
    static List<Range> gaps(int from, int to, List<Range> ranges) {
        var gaps = new ArrayList<Range>();
        int at = from;
        for (Range range :
                ranges.stream().sorted(Comparator.comparingInt(Range::from)).toList()) {
            if (range.from() > at && at < to) {
                gaps.add(new Range(at, Math.min(to, range.from())));
            }
            at = Math.max(at, range.to());
        }
        if (at < to) {
            gaps.add(new Range(at, to));
        }
        return gaps.stream().filter(gap -> gap.to() - gap.from() > 1).toList();
    }

    /** The ranges of devices that can be allocated. A device without numbered counters can be in any position. */
    List<Range> allocatable(Gpu gpu, List<Range> held) {
        List<Device> devices = gpu.hardware().devices().stream()
                .filter(Gpu.DeviceState::isAllocatable)
                .map(Gpu.DeviceState::device)
                .toList();
        List<Device> shared = withShares(gpu);
        boolean anywhere = set == null
                ? places.isEmpty() && !(devices.isEmpty() && shared.isEmpty())
                : devices.stream()
                        .flatMap(device -> consumption(device).stream())
                        .anyMatch(entry -> ofPlaces(entry.counters()).isEmpty() && part(entry) > 0);
        if (anywhere) {
            return List.of(new Range(start, end));
        }
        Stream<Range> ofDevices = devices.stream().flatMap(device -> ofPlaces(amounts(device)).stream());
        Stream<Range> ofShares = shared.stream().flatMap(device -> ranges(device, List.of()).stream());
        return Stream.concat(ofDevices, ofShares).toList();
    }

    private Map<String, Quantity> amounts(Device device) {
        return set == null
                ? capacity(device)
                : consumption(device).map(CounterConsumption::counters).orElse(Map.of());
    }

    /** The held devices that further claims can share. */
    private static List<Device> withShares(Gpu gpu) {
        return gpu.hardware().devices().stream()
                .map(Gpu.DeviceState::device)
                .filter(Device::allowMultipleAllocations)
                .filter(device -> gpu.holdings().stream()
                        .anyMatch(holding -> holding.device().equals(device.name())))
                .filter(device -> gpu.left().stream()
                        .filter(left -> left.of().equals(device.name()))
                        .allMatch(
                                left -> left.left().signum() > 0 || left.total().signum() == 0))
                .toList();
    }

    /** The number of equal parts into which the held devices divide the track; if none are held, the number of places. */
    int slots(Gpu gpu) {
        List<Integer> widths = unplaced(gpu);
        if (widths.isEmpty()) {
            return usesPlaces(gpu) ? places.size() : 0;
        }
        int width = widths.get(0);
        boolean equal = width > 0 && widths.stream().allMatch(other -> other == width);
        int slots = equal ? Math.round((float) (end - start) / width) : 0;
        return Math.abs(slots * width - (end - start)) < slots ? slots : 0;
    }

    private boolean usesPlaces(Gpu gpu) {
        return !places.isEmpty() && unplaced(gpu).isEmpty();
    }

    /** The widths of held devices without numbered counters. */
    private List<Integer> unplaced(Gpu gpu) {
        List<String> held = gpu.holdings().stream().map(Gpu.Holding::device).toList();
        return gpu.hardware().devices().stream()
                .map(Gpu.DeviceState::device)
                .filter(device -> held.contains(device.name()) && !device.allowMultipleAllocations())
                .flatMap(device -> consumption(device).stream())
                .filter(entry -> ofPlaces(entry.counters()).isEmpty())
                .map(entry -> (int) Math.round(part(entry) * (end - start)))
                .filter(width -> width < end - start)
                .toList();
    }

    /** What the full width stands for, such as {@code 8 memory slices} or {@code 40Gi framebuffer}. */
    String scale(Gpu gpu) {
        CounterSet known = set;
        if (known == null && places.isEmpty()) {
            return gpu.hardware().devices().stream()
                    .map(Gpu.DeviceState::device)
                    .filter(Device::allowMultipleAllocations)
                    .flatMap(device -> device.capacity().entrySet().stream())
                    .findFirst()
                    .map(capacity -> capacity.getValue().value() + " " + words(capacity.getKey()))
                    .orElse("the whole device");
        }
        if (usesPlaces(gpu)) {
            Matcher numbered = NUMBERED.matcher(places.get(0));
            return places.size() + " " + spaced(words(numbered.matches() ? numbered.group(1) : "part")) + "s";
        }
        return widest(gpu)
                .flatMap(counter -> total(counter).map(total -> total + " " + words(counter)))
                .orElse(known == null ? "" : known.name());
    }

    /** The counter that most devices without places use. */
    private Optional<String> widest(Gpu gpu) {
        return gpu.hardware().devices().stream()
                .flatMap(state -> consumption(state.device()).stream())
                .filter(entry -> places.isEmpty() || ofPlaces(entry.counters()).isEmpty())
                .flatMap(entry -> entry.counters().entrySet().stream()
                        .filter(counter -> counter.getValue().signum() > 0)
                        .max(Comparator.comparingDouble((Map.Entry<String, Quantity> counter) -> total(counter.getKey())
                                        .map(total -> StripLayout.fraction(counter.getValue(), total))
                                        .orElse(0.0))
                                .thenComparing(Map.Entry::getKey))
                        .stream())
                .collect(Collectors.groupingBy(Map.Entry::getKey, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
    }

    /** Converts {@code memorySlice} to {@code memory slice}. */
    private static String spaced(String camelCase) {
        return camelCase.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }

    private static String words(String name) {
        return name.substring(name.indexOf('/') + 1).replace('-', ' ');
    }
}
