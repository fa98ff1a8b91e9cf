package dev.fakegpu.e2e.bench;

import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Measures the processor time and memory that the API server needs for each kind of write of the operator, compared with a plain update
 * (PUT) of an equal object. Writes rows of a table to standard output.
 *
 * <p>Argument: a regular expression for the objects.
 */
final class WriteBench {

    /**
     * The number of objects in a round. They are written one after the other, first with updates and then as the operator does, or vice
     * versa.
     */
    private static final int OBJECTS = 8;

    private static final int MAX_ROUNDS = 12;

    /** Long enough to make the kernel's ticks of 10 ms negligible. */
    private static final double ENOUGH_SECONDS = 1;

    private final KubernetesClient client;
    private final ProcessUse apiServer;

    /** The cost of one kind of write so far. */
    private static final class Cost {
        private double seconds;
        private int writes;
        private long peakMiB;

        double milliseconds() {
            return seconds * 1000 / writes;
        }
    }

    private WriteBench(KubernetesClient client, ProcessUse apiServer) {
        this.client = client;
        this.apiServer = apiServer;
    }

    public static void main(String... arguments) {
        try (var controlPlane = ControlPlane.start(ControlPlaneOptions.apiServerOnly());
                var client = ClientSerialization.builder()
                        .withConfig(patient(controlPlane.config()))
                        .build()) {
            controlPlane.applyFile("crds/fakegpus.fakegpu.dev.yaml");
            var bench = new WriteBench(client, ProcessUse.of(controlPlane.kubeconfig(), "kube-apiserver"));
            var names = Pattern.compile(arguments[0]);
            for (MeasuredWrite<?> each : new MeasuredWrites(client).all()) {
                if (names.matcher(each.object()).find()) {
                    System.out.println(bench.row(each));
                }
            }
        }
        System.exit(0); // otherwise the threads of clients keep the process alive
    }

    /** On a busy machine, the largest objects take longer than the client's timeout. */
    private static Config patient(Config config) {
        config.setRequestTimeout(60_000);
        return config;
    }

    private <T extends HasMetadata> String row(MeasuredWrite<T> measured) {
        var update = new Cost();
        var ours = new Cost();
        round(measured, new Cost(), new Cost()); // one-time costs are not measured
        for (int round = 0; round < MAX_ROUNDS && update.seconds < ENOUGH_SECONDS; round++) {
            round(measured, update, ours);
        }
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d | %.1f | %.1f | %.1f | %d | %d |",
                measured.name(),
                measured.object(),
                measured.bytes(client) / 1000,
                update.milliseconds(),
                ours.milliseconds(),
                ours.milliseconds() / update.milliseconds(),
                update.peakMiB,
                ours.peakMiB);
    }

    private <T extends HasMetadata> void round(MeasuredWrite<T> measured, Cost update, Cost ours) {
        write(measured.updated(), measured, update);
        write(measured.written().apply(ObjectClient.of(client)), measured, ours);
    }

    private <T extends HasMetadata> void write(MeasuredWrite.Way<T> way, MeasuredWrite<T> measured, Cost cost) {
        List<T> stored = new ArrayList<>();
        for (int i = 0; i < OBJECTS; i++) {
            stored.add(way.stored().get());
        }
        apiServer.resetPeak();
        long residentBefore = apiServer.residentMiB();
        double before = apiServer.seconds();
        stored.forEach(way.write());
        cost.seconds += apiServer.seconds() - before;
        cost.writes += OBJECTS;
        cost.peakMiB = Math.max(cost.peakMiB, apiServer.peakMiB() - residentBefore);
        stored.forEach(object -> measured.remove(client, object));
    }
}
