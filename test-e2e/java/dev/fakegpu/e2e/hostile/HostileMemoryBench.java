package dev.fakegpu.e2e.hostile;

import dev.fakegpu.e2e.bench.ProcessUse;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import dev.fakegpu.testing.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * Measures how much the resident memory of the API server grows when the objects of {@code test-e2e/hostile} are stored, alternately with
 * and without an operator, each time on a new API server. Writes rows of a table to standard output.
 *
 * <p>Argument: the number of measurements.
 */
final class HostileMemoryBench {

    /**
     * How long the operator and the API server may work on the objects before memory is measured; events and conditions are written
     * meanwhile.
     */
    private static final Duration SETTLED = Duration.ofSeconds(45);

    /**
     * The growth of the API server.
     *
     * @param resident the resident memory after {@link #SETTLED} and a garbage collection, in MiB
     * @param heap the memory in use according to Go, at the same time
     * @param peak the maximum in between, in MiB
     * @param seconds the processor time in seconds
     */
    private record Growth(long resident, long heap, long peak, double seconds) {}

    private HostileMemoryBench() {}

    public static void main(String... arguments) {
        Awaitility.setDefaultTimeout(Patience.LIMIT);
        List<Growth> without = new ArrayList<>();
        List<Growth> with = new ArrayList<>();
        for (int run = 0; run < Integer.parseInt(arguments[0]); run++) {
            without.add(measure(false));
            with.add(measure(true));
        }
        System.out.println(row("without an operator", without));
        System.out.println(row("with an operator", with));
        System.exit(0); // otherwise the threads of clients keep the process alive
    }

    private static Growth measure(boolean hasOperator) {
        try (var controlPlane = ControlPlane.start(ControlPlaneOptions.withControllerManager())) {
            controlPlane.applyFile("crds/fakegpus.fakegpu.dev.yaml");
            if (!hasOperator) {
                return store(controlPlane);
            }
            try (var operator = OperatorProcess.start(controlPlane, Map.of());
                    var fakeGpus = new FakeGpuFixture(controlPlane.client())) {
                fakeGpus.create("tenants", HostileObjectsE2E.TENANTS);
                fakeGpus.awaitReady("tenants");
                Growth growth = store(controlPlane);
                operator.assertHealthy();
                return growth;
            }
        }
    }

    private static Growth store(ControlPlane controlPlane) {
        var apiServer = ProcessUse.of(controlPlane.kubeconfig(), "kube-apiserver");
        var tenant = new Tenant(controlPlane);
        collectGarbage(controlPlane);
        long before = apiServer.residentMiB();
        long heapBefore = heapMiB(controlPlane);
        double secondsBefore = apiServer.seconds();
        apiServer.resetPeak();
        HostileObject.all().forEach(tenant::create);
        LockSupport.parkNanos(SETTLED.toNanos());
        long peak = apiServer.peakMiB();
        double seconds = apiServer.seconds() - secondsBefore;
        collectGarbage(controlPlane);
        return new Growth(apiServer.residentMiB() - before, heapMiB(controlPlane) - heapBefore, peak - before, seconds);
    }

    /** The profile of the heap is taken after a collection; the freed memory is returned gradually. */
    private static void collectGarbage(ControlPlane controlPlane) {
        for (int i = 0; i < 2; i++) {
            controlPlane.client().raw("/debug/pprof/heap?gc=1&debug=1");
        }
        LockSupport.parkNanos(Duration.ofSeconds(5).toNanos());
    }

    private static long heapMiB(ControlPlane controlPlane) {
        return controlPlane
                .client()
                .raw("/metrics")
                .lines()
                .filter(line -> line.startsWith("go_memstats_heap_inuse_bytes "))
                .mapToLong(line -> (long) Double.parseDouble(line.split(" ")[1]) >> 20)
                .findFirst()
                .orElseThrow();
    }

    private static String row(String what, List<Growth> growths) {
        return "| %s | %d | %s | %s | %s | %s |"
                .formatted(
                        what,
                        HostileObject.all().size(),
                        all(growths, Growth::resident),
                        all(growths, Growth::heap),
                        all(growths, Growth::peak),
                        all(growths, growth -> Math.round(growth.seconds())));
    }

    private static String all(List<Growth> growths, ToLongFunction<Growth> number) {
        return growths.stream().map(each -> "" + number.applyAsLong(each)).collect(Collectors.joining(", "));
    }
}
