package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.allocate.Diagnosis;
import dev.fakegpu.engine.allocate.refusal.Blocker;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import dev.fakegpu.engine.explain.finding.Alignment;
import dev.fakegpu.engine.explain.finding.Finding;
import dev.fakegpu.engine.explain.finding.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Groups the refusals of devices by reason, so that thousands of them can be shown in a few lines. */
final class RefusalCounts {

    private final Map<Reason, Map<Refusal, Counted>> byReason = new EnumMap<>(Reason.class);
    private final List<Refusal> ofAlternatives = new ArrayList<>();

    private static final class Counted {
        private final DeviceId first;
        private int devices;

        Counted(DeviceId first) {
            this.first = first;
        }
    }

    void add(Diagnosis.Judged judged) {
        Refusal refusal = judged.refusal();
        if (refusal != null) {
            byReason.computeIfAbsent(Reason.of(refusal), ignored -> new LinkedHashMap<>())
                    .computeIfAbsent(refusal, ignored -> new Counted(judged.device()))
                    .devices++;
        }
    }

    /** Adds the refusals that keep other requests from values on which their devices could agree. */
    void addAlternatives(@Nullable Alignment alignment) {
        Stream.ofNullable(alignment)
                .flatMap(known -> known.serving().stream())
                .flatMap(value -> value.requests().stream())
                .filter(request -> request.missing() > 0)
                .flatMap(request -> request.refused().stream())
                .map(Finding.Example::refusal)
                .forEach(ofAlternatives::add);
    }

    /** Whether only selectors stop devices, or there are no devices. */
    boolean isAboutSelectorsOnly() {
        return byReason.keySet().stream().allMatch(reason -> reason == Reason.NoMatchingDevice);
    }

    /** One element for each reason, the most informative first. */
    List<Finding.Stopped> stopped() {
        return byReason.entrySet().stream()
                .map(entry -> stopped(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Finding.Stopped stopped(Reason reason, Map<Refusal, Counted> ways) {
        List<Finding.Example> examples = inOrder(ways).stream()
                .limit(Finding.Stopped.MAX_WAYS)
                .map(way -> new Finding.Example(way.getKey(), way.getValue().first, way.getValue().devices))
                .toList();
        int devices = ways.values().stream().mapToInt(way -> way.devices).sum();
        return new Finding.Stopped(reason, devices, examples, ways.size());
    }

    private List<Refusal> refusals() {
        return Stream.concat(
                        ofAlternatives.stream(),
                        byReason.values().stream()
                                .flatMap(ways -> inOrder(ways).stream())
                                .map(Map.Entry::getKey))
                .toList();
    }

    /** Sorts refusals. If devices lack the same capacity, those with the most left come first. */
    private static List<Map.Entry<Refusal, Counted>> inOrder(Map<Refusal, Counted> ways) {
        boolean isOneCapacity =
                ways.keySet().stream().map(RefusalCounts::capacity).distinct().count() == 1;
        return isOneCapacity
                ? ways.entrySet().stream()
                        .sorted(Comparator.comparing(way -> left(way.getKey()), Comparator.reverseOrder()))
                        .toList()
                : List.copyOf(ways.entrySet());
    }

    private static String capacity(Refusal refusal) {
        return refusal instanceof Refusal.CapacityShort lacking ? lacking.capacity() : "";
    }

    private static Quantity left(Refusal refusal) {
        return refusal instanceof Refusal.CapacityShort lacking ? lacking.left() : Quantity.ZERO;
    }

    /** Other claims that hold the needed devices, counters or capacity. Those of the most informative refusals come first. */
    List<ClaimRef> blockers() {
        Set<ClaimRef> claims = new LinkedHashSet<>();
        refusals().stream()
                .map(Refusal::blockers)
                .distinct()
                .flatMap(holders -> holders.list().stream())
                .filter(Blocker::isOther)
                .map(Blocker::claim)
                .forEach(claims::add);
        return List.copyOf(claims);
    }

    List<DeviceTaint> taints() {
        return refusals().stream()
                .filter(Refusal.Tainted.class::isInstance)
                .map(tainted -> ((Refusal.Tainted) tainted).taint())
                .distinct()
                .toList();
    }
}
