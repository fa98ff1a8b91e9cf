package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The devices of a node with a kubelet plugin are published only after the kubelet has registered their driver. */
class DriverRegistrationsTest {

    private static final Duration LONGEST = Duration.ofMinutes(1);

    private static final String NODE = "{apiVersion: v1, kind: Node, metadata: {name: node-1}}";
    private static final String FAKE_GPU =
            "{apiVersion: fakegpu.dev/v1alpha1, kind: FakeGpu, metadata: {name: a}, spec: {model: L40S, count: 1, nodes: {names: [node-1]}}}";

    private final Simulation simulation = new Simulation(SimulationOptions.DEFAULT);
    private final List<Integer> devices = new ArrayList<>();
    private final LinkedHashSet<String> ready = new LinkedHashSet<>();

    @Test
    void thePoolIsAnnouncedWithoutDevicesFirst() {
        // Given
        apply(NODE);
        apply(plugin("True"));
        observe();

        // When
        apply(FAKE_GPU);

        // Then
        assertThat(devices).startsWith(0).endsWith(1);
        assertThat(ready)
                .containsExactly(
                        "False AwaitsKubeletPlugin: published 0 of 1 node(s); the devices of node-1 follow when the kubelet has"
                                + " registered gpu.example.com there, see the condition KubeletPluginReady",
                        "True Published: the GPUs can be used");
    }

    @Test
    void devicesAwaitAPluginThatIsNotReady() {
        // Given
        apply(NODE);
        apply(plugin("False"));
        apply(FAKE_GPU);
        observe();

        // When
        apply(plugin("True"));

        // Then
        assertThat(devices).containsExactly(1);
        assertThat(ready).containsExactly("True Published: the GPUs can be used");
    }

    /** Claims can be allocated there, and the condition KubeletPluginReady reports that pods cannot start. */
    @Test
    void devicesDoNotWaitWithoutAPlugin() {
        // Given
        apply(NODE);
        observe();

        // When
        apply(FAKE_GPU);

        // Then
        assertThat(devices).containsOnly(1);
        assertThat(ready)
                .hasSize(1)
                .allMatch(text -> text.startsWith("True Published: the GPUs can be allocated, but"));
    }

    /** A pod would be started again only after a minute, so scripts wait for the condition. */
    @Test
    void slicesStayWhileAPluginIsAwayButTheFakeGpuIsNotReady() {
        // Given
        apply(NODE);
        apply(plugin("True"));
        apply(FAKE_GPU);
        observe();

        // When
        apply(plugin("False"));

        // Then
        assertThat(devices).isEmpty();
        assertThat(ready)
                .singleElement()
                .asString()
                .startsWith("False KubeletPluginNotReady: 0 of 1 node(s) are ready; pods cannot start with");
    }

    private void observe() {
        simulation.stores().slices().addListener((before, after) -> slice(after));
        simulation.stores().fakeGpus().addListener((before, after) -> fakeGpu(after));
    }

    private void slice(ResourceSlice slice) {
        devices.add(
                slice.getSpec().getDevices() == null
                        ? 0
                        : slice.getSpec().getDevices().size());
    }

    private void fakeGpu(FakeGpu fakeGpu) {
        if (fakeGpu.getStatus() != null) {
            fakeGpu.getStatus().conditions().stream()
                    .filter(condition -> condition.getType().equals("Ready"))
                    .forEach(condition -> ready.add(text(condition)));
        }
    }

    private static String text(Condition condition) {
        return "%s %s: %s".formatted(condition.getStatus(), condition.getReason(), condition.getMessage());
    }

    private static String plugin(String ready) {
        return """
                {apiVersion: v1, kind: Pod,
                 metadata: {name: plugin, namespace: fakegpu-kubelet-plugin, labels: {app.kubernetes.io/name: fakegpu-kubelet-plugin}},
                 spec: {nodeName: node-1, serviceAccountName: fakegpu-kubelet-plugin, containers: [{name: main, image: x}]},
                 status: {phase: Running, conditions: [{type: Ready, status: "%s"}]}}""".formatted(ready);
    }

    private void apply(String yaml) {
        try {
            simulation.apply(List.of(Serialization.yamlMapper().readTree(yaml)), LONGEST);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
