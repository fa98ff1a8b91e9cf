package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.engine.allocate.refusal.Blocker;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Describes a remedy as a clause; if possible, it says which objects to delete. */
final class WayOutText {

    private final NameScope reader;
    private final RefusalText refusals;

    WayOutText(NameScope reader, RefusalText refusals) {
        this.reader = reader;
        this.refusals = refusals;
    }

    /** @param told the finding that the clause follows and does not repeat; null if the clause stands alone */
    String of(Remedy remedy, @Nullable Finding told) {
        return remedy.match(new Remedy.Cases<>() {
            @Override
            public String release(Remedy.Release release) {
                String clause = release.claims().size() == 1
                        ? WayOutText.this.release(release.claims().get(0), told)
                        : releaseAll(release.claims());
                return clause + orRecover(release.orRecover());
            }

            @Override
            public String tolerate(Remedy.Tolerate tolerate) {
                return WayOutText.this.tolerate(tolerate.taint(), told);
            }

            @Override
            public String recover(Remedy.Recover recover) {
                return recovered(
                        recover.devices().stream().map(DeviceId::device).toList());
            }

            @Override
            public String deleteSlices(Remedy.DeleteSlices delete) {
                return "delete " + listed("ResourceSlice", delete.names())
                        + " unless the driver adds the missing slices";
            }

            @Override
            public String completePool(Remedy.CompletePool complete) {
                return complete(complete.pool(), told);
            }

            @Override
            public String addDevices(Remedy.AddDevices add) {
                return "more devices are needed, because pods of its own PodGroup hold devices that fit";
            }
        });
    }

    /** The clause about several nodes, whose devices it names with their pools. */
    String ofGang(Remedy remedy) {
        return remedy instanceof Remedy.Recover recover
                ? recovered(recover.devices().stream().map(DeviceId::toString).toList())
                : of(remedy, null);
    }

    private static String recovered(List<String> devices) {
        return "it would fit if " + Phrases.list(devices) + " recovered";
    }

    private static String orRecover(List<DeviceId> devices) {
        return devices.isEmpty()
                ? ""
                : ", or repair "
                        + Phrases.list(devices.stream().map(DeviceId::device).toList());
    }

    private String tolerate(DeviceTaint taint, @Nullable Finding told) {
        boolean isTold = told != null
                && firstRefusal(told)
                        .filter(refusal -> refusal instanceof Refusal.Tainted tainted
                                && tainted.taint().equals(taint))
                        .findFirst()
                        .isPresent();
        return "it would fit if the request tolerated " + (isTold ? "it" : refusals.taint(taint));
    }

    private static String complete(PoolId pool, @Nullable Finding told) {
        boolean isTold = told != null
                && !told.pools().isEmpty()
                && pool.equals(told.pools().get(0).incomplete());
        return "it would fit if " + (isTold ? "that pool" : "pool " + pool) + " counted as complete";
    }

    private static Stream<Refusal> firstRefusal(Finding told) {
        return told.problem() != null || told.stopped().isEmpty()
                ? Stream.empty()
                : told.stopped().get(0).examples().stream().limit(1).map(Finding.Example::refusal);
    }

    private String release(ClaimRef claim, @Nullable Finding told) {
        if (!reader.includes(claim.namespace())) {
            boolean isTold = told != null
                    && firstRefusal(told)
                            .flatMap(refusal -> refusal.blockers().list().stream())
                            .filter(Blocker::isOther)
                            .limit(1)
                            .anyMatch(holder -> holder.claim().equals(claim));
            return "it would fit if " + (isTold ? "that" : reader.withUsers(claim)) + " were released";
        }
        ClaimUse use = reader.users().of(claim);
        if (isUsedByPodsOnly(use)) {
            return "delete " + pods(claim.namespace(), use.pods());
        }
        if (use.equals(ClaimUse.UNKNOWN)) {
            return "release claim " + reader.of(claim);
        }
        if (use.equals(ClaimUse.UNUSED)) {
            return "delete claim " + reader.of(claim) + ", which no pod uses";
        }
        return use.ending() == null
                ? "it would fit if " + reader.withUsers(claim) + " were released"
                : "it fits once " + reader.withUsers(claim) + " is released";
    }

    private String releaseAll(List<ClaimRef> claims) {
        boolean areNamed = claims.stream().allMatch(claim -> reader.includes(claim.namespace()));
        if (areNamed
                && claims.stream()
                        .allMatch(claim -> isUsedByPodsOnly(reader.users().of(claim)))) {
            return "delete "
                    + listed(
                            "pod",
                            claims.stream()
                                    .flatMap(claim -> reader.users().of(claim).pods().stream()
                                            .map(pod -> name(claim.namespace(), pod)))
                                    .distinct()
                                    .toList());
        }
        String listed = listed("claim", claims.stream().map(reader::of).toList());
        if (areNamed
                && claims.stream().allMatch(claim -> reader.users().of(claim).equals(ClaimUse.UNKNOWN))) {
            return "release " + listed;
        }
        if (areNamed
                && claims.stream().allMatch(claim -> reader.users().of(claim).equals(ClaimUse.UNUSED))) {
            return "delete " + listed + ", which no pod uses";
        }
        return "it would fit if "
                + Phrases.list(claims.stream().map(reader::withUsers).toList()) + " were all released";
    }

    private static boolean isUsedByPodsOnly(ClaimUse use) {
        return !use.pods().isEmpty() && use.others().isEmpty() && use.ending() == null;
    }

    private String pods(String namespace, List<String> names) {
        return listed("pod", names.stream().map(name -> name(namespace, name)).toList());
    }

    private static String listed(String kind, List<String> names) {
        return kind + (names.size() == 1 ? " " : "s ") + Phrases.list(names);
    }

    private String name(String namespace, String pod) {
        return namespace.equals(reader.home()) ? pod : namespace + "/" + pod;
    }
}
