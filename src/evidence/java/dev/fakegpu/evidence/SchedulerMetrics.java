package dev.fakegpu.evidence;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.Locale;

/** The metrics of kube-scheduler itself, including the service level indicators in the KEP. */
final class SchedulerMetrics {

    static final String FILTER = "scheduler_framework_extension_point_duration_seconds";
    static final String PLUGIN = "scheduler_plugin_execution_duration_seconds";

    private final Config config;

    /** @param config an administrator's configuration for the API server, which is also permitted to read the scheduler's metrics */
    SchedulerMetrics(Config config, int port) {
        this.config = new ConfigBuilder(config)
                .withMasterUrl("https://127.0.0.1:" + port)
                .withCaCertData(null)
                .withTrustCerts(true) // the scheduler creates its own certificate when it starts
                .withDisableHostnameVerification(true)
                .build();
    }

    Sample read() {
        try (var client = new KubernetesClientBuilder().withConfig(config).build()) {
            return new Sample(client.raw("/metrics"));
        }
    }

    /** The metrics at one time. */
    record Sample(String text) {

        /** The average duration since an earlier time. */
        Duration average(Sample earlier, String histogram) {
            double count = sum(histogram + "_count") - earlier.sum(histogram + "_count");
            if (count == 0) {
                throw new IllegalStateException("kube-scheduler has no " + histogram + " of Filter");
            }
            double seconds = sum(histogram + "_sum") - earlier.sum(histogram + "_sum");
            return Duration.ofNanos((long) (seconds / count * 1e9));
        }

        /** Whether a histogram has observations with these labels, which are in alphabetical order. */
        boolean has(String histogram, String labels) {
            return text.lines()
                    .filter(line -> line.startsWith(histogram + "_count{") && line.contains(labels))
                    .anyMatch(line -> value(line) > 0);
        }

        /** The number of requests to the API server. */
        double requests() {
            return text.lines()
                    .filter(line -> line.startsWith("rest_client_requests_total{"))
                    .mapToDouble(Sample::value)
                    .sum();
        }

        /** The memory of the process, in bytes. */
        double memory() {
            return gauge("process_resident_memory_bytes");
        }

        /** The processor time of the process since it started. */
        Duration processor() {
            return Duration.ofNanos((long) (gauge("process_cpu_seconds_total") * 1e9));
        }

        private double gauge(String name) {
            return text.lines()
                    .filter(line -> line.startsWith(name + " "))
                    .mapToDouble(Sample::value)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("there is no " + name));
        }

        private double sum(String name) {
            return text.lines()
                    .filter(line -> line.startsWith(name + "{") && line.contains("extension_point=\"Filter\""))
                    .filter(line -> !line.contains("plugin=") || line.contains("plugin=\"DynamicResources\""))
                    .mapToDouble(Sample::value)
                    .sum();
        }

        private static double value(String line) {
            return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1).toLowerCase(Locale.ROOT));
        }
    }
}
