package dev.fakegpu.dashboard;

import dev.fakegpu.api.Labels;
import dev.fakegpu.cluster.holdings.Gpu;
import dev.fakegpu.cluster.holdings.Gpu.DeviceState;
import dev.fakegpu.cluster.holdings.Gpu.Holding;
import dev.fakegpu.cluster.holdings.HeldClaim;
import dev.fakegpu.dashboard.GpuView.CounterView;
import dev.fakegpu.dashboard.GpuView.HoldingView;
import dev.fakegpu.dashboard.GpuView.Mark;
import dev.fakegpu.dashboard.GpuView.MarkKind;
import dev.fakegpu.dashboard.GpuView.Room;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.hardware.inventory.DevicePlace;
import dev.fakegpu.hardware.slices.Retention;
import dev.fakegpu.util.SafeText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Creates the views of hardware. */
public final class GpuViews {

    /** The maximum length of an attribute in the API. */
    private static final int MAX_PRODUCT = 64;

    private static final int MAX_PROBLEM = 500;

    private GpuViews() {}

    /**
     * The source of hardware.
     *
     * @param fakeGpu empty for devices of other drivers
     * @param allocator {@code Companion} or {@code KubeScheduler}
     * @param faults the faults that are injected into it
     */
    public record Origin(String fakeGpu, String allocator, List<String> faults) {
        public Origin {
            faults = List.copyOf(faults);
        }
    }

    public static GpuView of(Gpu gpu, Origin origin) {
        String name = gpu.shortName();
        boolean idle = gpu.isIdle();
        List<DevicePlace> places = gpu.hardware().devices().stream()
                .map(state -> DevicePlace.of(state.device()))
                .distinct()
                .toList();
        return new GpuView(
                gpu.pool() + "/" + gpu.name(),
                gpu.pool().driver(),
                gpu.pool().name(),
                name,
                common(places, place -> Objects.toString(place.numaNode(), "")),
                common(places, place -> SafeText.of(place.root(), MAX_PRODUCT)),
                product(gpu),
                origin.fakeGpu(),
                origin.allocator(),
                gpu.mode(),
                gpu.unhealthy(),
                gpu.hardware().devices().size(),
                StripLayout.of(gpu),
                gpu.holdings().stream().map(holding -> holding(gpu, holding)).toList(),
                new Exclusions(gpu, name).list(),
                idle ? List.of() : room(gpu, name),
                idle ? List.of() : counters(gpu),
                marks(gpu, origin));
    }

    /** Where it is, according to those of its devices that say it; empty if they contradict each other. */
    private static String common(List<DevicePlace> places, Function<DevicePlace, String> part) {
        List<String> said = places.stream()
                .map(part)
                .filter(text -> !text.isEmpty())
                .distinct()
                .toList();
        return said.size() == 1 ? said.get(0) : "";
    }

    private static String product(Gpu gpu) {
        return gpu.hardware().devices().stream()
                .map(state -> state.device().attributes())
                .flatMap(attributes -> Stream.of("productName", "model")
                        .flatMap(wanted -> attributes.entrySet().stream()
                                .filter(attribute -> attribute
                                        .getKey()
                                        .substring(attribute.getKey().indexOf('/') + 1)
                                        .equals(wanted))
                                .map(attribute -> attribute.getValue().toString())))
                .findFirst()
                .map(text -> SafeText.of(text, MAX_PRODUCT))
                .orElse("");
    }

    private static HoldingView holding(Gpu gpu, Holding holding) {
        Optional<HeldClaim.Preparation> preparation = Optional.ofNullable(
                holding.claim().preparations().get(gpu.pool().device(holding.device())));
        return new HoldingView(
                holding.device(),
                holding.claim().ref().toString(),
                holding.claim().created().toString(),
                holding.claim().pods(),
                holding.share().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(share -> share.getValue() + " " + share.getKey())
                        .toList(),
                groups(gpu, holding),
                holding.claim().classes(),
                preparation
                        .map(known -> known.succeeded() ? "succeeded" : "failed")
                        .orElse(""),
                preparation
                        .filter(known -> !known.succeeded())
                        .map(known -> SafeText.of(known.message(), MAX_PROBLEM))
                        .orElse(""),
                holding.notes());
    }

    /** The groups that were recorded at allocation or, if none were, those of the slice. */
    private static List<String> groups(Gpu gpu, Holding holding) {
        Optional<CompatibilityGroups> recorded = holding.claim().devices().stream()
                .filter(device -> device.id().equals(gpu.pool().device(holding.device())))
                .flatMap(device -> Stream.ofNullable(device.groups()))
                .findFirst();
        return recorded.map(groups -> groups.byCounterSet().values().stream()
                        .flatMap(List::stream)
                        .distinct()
                        .sorted()
                        .toList())
                .or(() -> device(gpu, holding.device()).map(Exclusions::groups))
                .orElse(List.of());
    }

    private static Optional<Device> device(Gpu gpu, String name) {
        return gpu.hardware().devices().stream()
                .map(DeviceState::device)
                .filter(device -> device.name().equals(name))
                .findFirst();
    }

    private static List<Room> room(Gpu gpu, String name) {
        return gpu.kinds().stream()
                .filter(kind -> kind.room().atMost() > 0)
                .map(kind -> new Room(
                        kind.kind().replace(name + "-", ""), kind.room().toString()))
                .toList();
    }

    private static List<CounterView> counters(Gpu gpu) {
        return gpu.left().stream()
                .map(left -> new CounterView(
                        left.of(),
                        left.name(),
                        left.left().toString(),
                        left.total().toString()))
                .toList();
    }

    private static List<Mark> marks(Gpu gpu, Origin origin) {
        Map<DeviceTaint, Integer> taints = new LinkedHashMap<>();
        gpu.hardware().devices().stream()
                .flatMap(state -> state.device().taints().stream())
                .filter(taint -> !taint.key().equals(Labels.ALLOCATOR_TAINT))
                .forEach(taint -> taints.merge(
                        new DeviceTaint(taint.key(), taint.value(), taint.effect()).ofRule(rule(taint)),
                        1,
                        Integer::sum));
        var marks = new ArrayList<Mark>();
        taints.forEach((taint, devices) -> marks.add(mark(taint, devices)));
        origin.faults().forEach(fault -> marks.add(new Mark(MarkKind.FAULT, fault, 0)));
        return marks;
    }

    private static String rule(DeviceTaint taint) {
        return Optional.ofNullable(taint.rule()).orElse("");
    }

    private static Mark mark(DeviceTaint taint, int devices) {
        if (taint.key().equals(Retention.CHANGES_PENDING.key())) {
            return new Mark(MarkKind.CHANGE, "a change waits until it is released", devices);
        }
        String rule = rule(taint);
        return new Mark(
                taint.meansUnhealthy() ? MarkKind.UNHEALTHY : MarkKind.TAINT,
                "%s:%s%s"
                        .formatted(
                                taint.shortForm(),
                                taint.effect(),
                                rule.isEmpty() ? "" : ", by DeviceTaintRule " + rule),
                devices);
    }
}
