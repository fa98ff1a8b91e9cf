package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ClusterYaml;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what the companion reports while kube-controller-manager creates the claims from a pod's templates. */
class ClaimsInTheMakingTest {

    private final Simulation simulation = new Simulation(SimulationOptions.DEFAULT);

    @BeforeEach
    void aPodIsThereBeforeItsTemplate() {
        simulation.apply(ClusterYaml.json("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: a100}
                spec: {nodes: {simulated: {count: 1}}, model: A100-SXM4-40GB, count: 1}
                """).get(0));
        simulation.settle(Duration.ofMinutes(1));
        simulation.apply(ClusterYaml.json("""
                apiVersion: v1
                kind: Pod
                metadata: {name: train}
                spec:
                  schedulerName: fakegpu-scheduler
                  containers: [{name: main, image: "busybox:1"}]
                  resourceClaims: [{name: gpu, resourceClaimTemplateName: one}]
                """).get(0));
    }

    private Stream<String> warnings() {
        return simulation.cluster().events().stream()
                .filter(event -> "Warning".equals(event.getType()))
                .map(Event::getMessage);
    }

    @Test
    void missingClaimsAreReportedOnlyAfterTenSeconds() {
        simulation.pass(Duration.ofSeconds(9));
        assertThat(warnings()).isEmpty();

        simulation.pass(Duration.ofSeconds(2));
        assertThat(warnings())
                .singleElement()
                .asString()
                .startsWith("there is no ResourceClaim for template \"one\"; kube-controller-manager creates it");
    }

    @Test
    void aPodWhoseClaimIsMadeInTimeHasNoWarning() {
        simulation.pass(Duration.ofSeconds(5));
        simulation.apply(ClusterYaml.json("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {name: one}
                spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}}
                """).get(0));
        simulation.pass(Duration.ofSeconds(20));

        assertThat(simulation.view().pod("default", "train")).get().matches(ClusterView.PodRow::isRunning);
        assertThat(warnings()).isEmpty();
    }
}
