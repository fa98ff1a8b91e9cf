package dev.fakegpu.cluster.fit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.cluster.fit.NodeAdmission.Rejection;
import dev.fakegpu.engine.problemfile.Oracle;
import dev.fakegpu.testing.Prerequisite;
import io.fabric8.kubernetes.api.model.ContainerExtendedResourceRequestBuilder;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares the admission of pods with the kubelet's own, which {@code hack/kubernetes/filter} runs: for random pods and nodes, both must
 * reject the same pods with the same reason and message.
 *
 * <p>{@code -Dadmission.problems=N} and {@code -Dadmission.seed=S} set the number of problems and the first seed.
 */
@Tag("long")
class NodeAdmissionDifferentialTest {

    private static final int PROBLEMS = Integer.getInteger("admission.problems", 20_000);
    private static final long SEED = Long.getLong("admission.seed", 1);
    private static final String NODE = "node";
    private static final String DONGLE = "example.com/dongle";
    private static final String OF_CLASS = "deviceclass.resource.kubernetes.io/gpu";
    private static final List<String> SCALARS = List.of("hugepages-2Mi", DONGLE, OF_CLASS);

    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void rejectsAsTheKubelet() throws IOException, InterruptedException {
        Optional<Oracle> started = Oracle.built("hack/kubernetes/filter/build");
        Prerequisite.require(started.isPresent(), "hack/kubernetes/filter/build failed");
        var counts = new TreeMap<String, Integer>();
        var disagreements = new ArrayList<String>();
        try (Oracle oracle = started.get()) {
            for (int i = 0; i < PROBLEMS; i++) {
                var problem = new Problem(new Random(SEED + i));
                oracle.send(problem.json("seed " + (SEED + i)));
                Optional<Rejection> ours = NodeAdmission.rejection(problem.pod, problem.node, problem.others);
                Optional<Rejection> upstream = upstream(oracle.receive());
                counts.merge(upstream.map(Rejection::reason).orElse("admitted"), 1, Integer::sum);
                if (!ours.equals(upstream)) {
                    disagreements.add("%s%n  upstream: %s%n  here:     %s".formatted(problem.json(""), upstream, ours));
                }
            }
        }
        System.out.println("NodeAdmissionDifferentialTest: " + counts + ", disagreements: " + disagreements.size());
        assertThat(disagreements.stream().limit(3)).as("from seed %s", SEED).isEmpty();
    }

    private static Optional<Rejection> upstream(JsonNode answer) {
        return answer.has("rejection")
                ? Optional.of(new Rejection(
                        answer.at("/rejection/reason").asText(),
                        answer.at("/rejection/message").asText()))
                : Optional.empty();
    }

    /** A random pod, the node, and the pods that are there. */
    private static final class Problem {

        private final Random random;
        private final Node node;
        private final List<Pod> others;
        private final Pod pod;

        Problem(Random random) {
            this.random = random;
            node = node();
            others = IntStream.range(0, random.nextInt(4))
                    .mapToObj(i -> bound("other-" + i))
                    .toList();
            pod = pod();
        }

        ObjectNode json(String name) {
            ObjectNode problem = JSON.createObjectNode().put("name", name).put("admission", true);
            problem.set("node", Serialization.jsonMapper().valueToTree(node));
            problem.set("pod", Serialization.jsonMapper().valueToTree(pod));
            problem.set("pods", Serialization.jsonMapper().valueToTree(others));
            return problem;
        }

        private boolean chance(int oneOf) {
            return random.nextInt(oneOf) == 0;
        }

        private String any(String... values) {
            return values[random.nextInt(values.length)];
        }

        private Node node() {
            var allocatable = new HashMap<>(Map.of(
                    "cpu", new Quantity(any("1500m", "2", "4")),
                    "memory", new Quantity(any("3Gi", "4G", "8Gi")),
                    "ephemeral-storage", new Quantity(any("1Gi", "10Gi")),
                    "pods", new Quantity(any("2", "3", "10"))));
            SCALARS.stream()
                    .filter(each -> chance(2))
                    .forEach(each -> allocatable.put(each, new Quantity(any("0", "1", "2"))));
            var created = new NodeBuilder()
                    .withNewMetadata()
                    .withName(NODE)
                    .addToLabels("zone", any("a", "b"))
                    .endMetadata()
                    .withNewSpec()
                    .endSpec()
                    .withNewStatus()
                    .withAllocatable(allocatable)
                    .endStatus();
            if (chance(3)) {
                created.editSpec()
                        .addNewTaint()
                        .withKey("example.com/drain")
                        .withValue(any("", "now"))
                        .withEffect(any("NoExecute", "NoSchedule", "PreferNoSchedule"))
                        .endTaint()
                        .endSpec();
            }
            return created.build();
        }

        private Pod bound(String name) {
            return new PodBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName(name)
                    .withUid(name)
                    .endMetadata()
                    .withNewSpec()
                    .withNodeName(NODE)
                    .addNewContainer()
                    .withName("main")
                    .withNewResources()
                    .withRequests(requests())
                    .endResources()
                    .withPorts(ports())
                    .endContainer()
                    .endSpec()
                    .build();
        }

        private List<ContainerPort> ports() {
            return IntStream.range(0, chance(3) ? 1 + random.nextInt(2) : 0)
                    .mapToObj(i -> new ContainerPortBuilder()
                            .withContainerPort(1)
                            .withHostPort(chance(4) ? null : 8080 + random.nextInt(2))
                            .withProtocol(any("TCP", "UDP"))
                            .withHostIP(chance(2) ? null : any("0.0.0.0", "127.0.0.1", "10.0.0.1"))
                            .build())
                    .toList();
        }

        /** The kubelet checks scalar resources in random order, so a pod requests at most one of them. */
        private Map<String, Quantity> requests() {
            var requests = new HashMap<String, Quantity>();
            if (chance(2)) {
                requests.put("cpu", new Quantity(any("0", "1", "500m", "1001m", "0.3")));
            }
            if (chance(2)) {
                requests.put("memory", new Quantity(any("1Gi", "1500M", "0.5", "3Gi")));
            }
            if (chance(4)) {
                requests.put("ephemeral-storage", new Quantity(any("1Gi", "2Gi")));
            }
            return requests;
        }

        private Pod pod() {
            var created = new PodBuilder(bound("pod"));
            if (chance(3)) {
                String scalar = SCALARS.get(random.nextInt(SCALARS.size()));
                created.editSpec()
                        .editContainer(0)
                        .editResources()
                        .addToRequests(scalar, new Quantity(any("1", "2")))
                        .endResources()
                        .endContainer()
                        .endSpec();
                if (chance(2) && !scalar.startsWith("hugepages")) {
                    var mapping = new ContainerExtendedResourceRequestBuilder()
                            .withContainerName("main")
                            .withResourceName(scalar)
                            .withRequestName("container-0-request-0")
                            .build();
                    created.withNewStatus()
                            .withNewExtendedResourceClaimStatus()
                            .withResourceClaimName("claim")
                            .withRequestMappings(mapping)
                            .endExtendedResourceClaimStatus()
                            .endStatus();
                }
            }
            if (chance(4)) {
                created.editSpec()
                        .addNewInitContainer()
                        .withName("init")
                        .withRestartPolicy(chance(2) ? "Always" : null)
                        .withPorts(ports())
                        .withNewResources()
                        .withRequests(requests())
                        .endResources()
                        .endInitContainer()
                        .endSpec();
            }
            if (chance(4)) {
                created.editSpec().addToOverhead("cpu", new Quantity("250m")).endSpec();
            }
            if (chance(3)) {
                created.editSpec().addToNodeSelector("zone", any("a", "b")).endSpec();
            }
            if (chance(2)) {
                created.editSpec()
                        .withTolerations(new TolerationBuilder()
                                .withKey(any("example.com/drain", "example.com/other"))
                                .withOperator(any("Exists", "Equal"))
                                .withEffect(any("", "NoExecute", "NoSchedule"))
                                .build())
                        .endSpec();
            }
            return created.build();
        }
    }
}
