package dev.fakegpu.cluster.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ExtendedResourceClaimTest {

    private static final String GPU = "nvidia.com/gpu";
    private static final ExtendedResources CLASSES =
            ExtendedResources.of(List.of(deviceClass("old", 1), deviceClass("b", 2), deviceClass("a", 2)));

    @Test
    void theNewestClassServesAResourceAndAmongEqualsTheFirstByName() {
        assertThat(CLASSES.deviceClass(GPU)).contains("a");
        assertThat(CLASSES.deviceClass("deviceclass.resource.kubernetes.io/old"))
                .contains("old");
        assertThat(CLASSES.deviceClass("nvidia.com/other")).isEmpty();
    }

    /** Names number the init containers first, and then the resource among all that the container requests. */
    @Test
    void eachContainerHasARequestOfItsOwn() {
        // When
        var claim = claim(new PodSpecBuilder().withContainers(container("one", 2), container("two", 1)));

        // Then
        assertThat(requests(claim)).containsExactly("container-0-request-1: 2 a", "container-1-request-1: 1 a");
        assertThat(mappings(claim)).containsExactly("one container-0-request-1", "two container-1-request-1");
    }

    @Test
    void initContainersUseTheDevicesOfContainersPlusWhatTheLargestNeedsInAddition() {
        // When
        var claim = claim(new PodSpecBuilder()
                .withInitContainers(container("small", 2), container("large", 3))
                .withContainers(container("main", 1)));

        // Then
        assertThat(requests(claim)).containsExactly("container-1-request-1: 2 a", "container-2-request-1: 1 a");
        assertThat(mappings(claim))
                .containsExactly(
                        "main container-2-request-1",
                        "small container-2-request-1",
                        "small container-1-request-1",
                        "large container-2-request-1",
                        "large container-1-request-1");
    }

    @Test
    void aSentenceUsesTheTermsOfThePod() {
        var claim = claim(new PodSpecBuilder().withContainers(container("one", 2)));
        assertThat(claim.inWordsOfPod("only 1 of 2 devices for request \"container-0-request-1\": no more"))
                .isEqualTo("only 1 of 2 devices for nvidia.com/gpu of container \"one\": no more");
        assertThat(claim.inWordsOfPod("request \"container-0-request-1\" of "
                        + claim.claim().getMetadata().getNamespace() + "/<extended-resources> fits alone"))
                .isEqualTo("nvidia.com/gpu of container \"one\" fits alone");
    }

    @Test
    void ifTheClassHasNoDevicesOtherClassesWithTheSameResourceAreMentioned() {
        var claim = claim(new PodSpecBuilder().withContainers(container("one", 2)));
        assertThat(claim.inWordsOfPod("no device is of class \"a\" (request \"container-0-request-1\")"))
                .isEqualTo(
                        "no device is of class \"a\" (nvidia.com/gpu of container \"one\"); nvidia.com/gpu means class"
                                + " \"a\", the newest of 3 with this extendedResourceName");
    }

    @Test
    void aRequestThatInitContainersShareNamesAllOfThem() {
        var claim = claim(
                new PodSpecBuilder().withInitContainers(container("fetch", 3)).withContainers(container("main", 1)));
        assertThat(claim.inWordsOfPod(
                        "no device for request \"container-1-request-1\"; nor for request \"container-0-request-1\""))
                .isEqualTo(
                        "no device for nvidia.com/gpu that containers \"main\" and \"fetch\" use in turn; nor for 2 more"
                                + " nvidia.com/gpu that only container \"fetch\" uses");
    }

    @Test
    void requestsOfOneContainerAreReportedAsOne() {
        var claim = claim(
                new PodSpecBuilder().withInitContainers(container("fetch", 3)).withContainers(container("main", 1)));
        String beginning =
                "never fits on n: request \"container-1-request-1\" fits alone, but not together with request"
                        + " \"container-0-request-1\"";
        String worded = "never fits on n: container \"fetch\" asks for 3 nvidia.com/gpu, of which 2 can be allocated";

        assertThat(claim.inWordsOfPod(
                        beginning + ": gpu-0 is held by request \"container-0-request-1\"; 1 more likewise"))
                .isEqualTo(worded);
        assertThat(claim.inWordsOfPod(beginning + ": gpu-2 is held by h; delete pod h"))
                .isEqualTo(worded + ": gpu-2 is held by h; delete pod h");
    }

    @Test
    void containersThatRunTogetherAskTogether() {
        var claim = claim(new PodSpecBuilder()
                .withInitContainers(container("fetch", 1))
                .withContainers(container("one", 1), container("two", 1)));

        assertThat(claim.inWordsOfPod("request \"container-2-request-1\" fits alone, but not together with request"
                        + " \"container-1-request-1\": gpu-0 is held by request \"container-1-request-1\""))
                .isEqualTo("containers \"one\" and \"two\" ask for 2 nvidia.com/gpu together, of which 1 can be"
                        + " allocated");
    }

    /** The sentence does not say how many devices were found for the request, because the number is not known. */
    @Test
    void refusalOfSeveralDevicesSaysThatThereAreTooFew() {
        var claim = claim(new PodSpecBuilder().withContainers(container("one", 2), container("two", 2)));

        assertThat(
                        claim.inWordsOfPod(
                                "request \"container-1-request-1\" fits alone, but not together with request"
                                        + " \"container-0-request-1\": gpu-0 is held by request \"container-0-request-1\"; 1 more likewise"))
                .isEqualTo(
                        "containers \"one\" and \"two\" ask for 4 nvidia.com/gpu together, more than can be allocated");
    }

    /** The pod itself has the device, and only for its other containers. */
    @Test
    void noContainerHoldsADeviceAgainstItsOwnPod() {
        var claim = claim(
                new PodSpecBuilder().withInitContainers(container("fetch", 2)).withContainers(container("main", 1)));

        assertThat(ExtendedResourceClaim.inWordsOfPod(
                        claim.words(), "gpu-0 is held by request \"container-0-request-1\" of <extended-resources>"))
                .isEqualTo("gpu-0 is needed for another nvidia.com/gpu that only container \"fetch\" uses");
    }

    @Test
    void aResourceThatNothingServesIsNamedWithThoseThatAreServed() {
        var classes = ExtendedResources.of(List.of(deviceClass("gpu.nvidia.com", 1)));
        assertThat(classes.unserved(Map.of("example.com/gpu", BigDecimal.ONE), List.of()))
                .hasValue("no node has example.com/gpu, and no DeviceClass has this extendedResourceName; there is"
                        + " nvidia.com/gpu of class \"gpu.nvidia.com\"");
        assertThat(classes.unserved(Map.of("deviceclass.resource.kubernetes.io/other", BigDecimal.ONE), List.of()))
                .hasValue("there is no DeviceClass \"other\"; there is gpu.nvidia.com");
        assertThat(classes.unserved(Map.of("nvdia.com/gpu", BigDecimal.ONE), List.of()))
                .hasValue("no node has nvdia.com/gpu, and no DeviceClass has this extendedResourceName (did you mean"
                        + " \"nvidia.com/gpu\"?)");
        assertThat(classes.unserved(
                        Map.of("deviceclass.resource.kubernetes.io/gpu.nvdia.com", BigDecimal.ONE), List.of()))
                .hasValue("there is no DeviceClass \"gpu.nvdia.com\" (did you mean \"gpu.nvidia.com\"?)");
        assertThat(classes.unserved(
                        Map.of("nvidia.com/gpu", BigDecimal.ONE, "cpu", BigDecimal.ONE, "memory", BigDecimal.ONE),
                        List.of()))
                .isEmpty();
    }

    @Test
    void aSidecarKeepsItsDevices() {
        // When
        var sidecar = new ContainerBuilder(container("sidecar", 1))
                .withRestartPolicy("Always")
                .build();
        var claim = claim(new PodSpecBuilder().withInitContainers(sidecar).withContainers(container("main", 1)));

        // Then
        assertThat(requests(claim)).containsExactly("container-0-request-1: 1 a", "container-1-request-1: 1 a");
    }

    @Test
    void claimIsFoundByItsOwnerAndAnnotation() {
        var claim =
                claim(new PodSpecBuilder().withContainers(container("main", 1))).claim();
        String key = ExtendedResourceClaim.key(pod(new PodSpecBuilder()));

        assertThat(ExtendedResourceClaim.podKey(claim)).hasValue(key);
        claim.getMetadata().setNamespace("another");
        assertThat(ExtendedResourceClaim.podKey(claim).filter(key::equals))
                .as("owner references do not reach into other namespaces")
                .isEmpty();
        claim.getMetadata().setNamespace("default");
        claim.getMetadata().setAnnotations(null);
        assertThat(ExtendedResourceClaim.podKey(claim)).isEmpty();
    }

    private static ExtendedResourceClaim claim(PodSpecBuilder spec) {
        return ExtendedResourceClaim.of(pod(spec), new TreeSet<>(Set.of(GPU)), CLASSES);
    }

    private static List<String> requests(ExtendedResourceClaim claim) {
        return claim.claim().getSpec().getDevices().getRequests().stream()
                .map(request -> "%s: %d %s"
                        .formatted(
                                request.getName(),
                                request.getExactly().getCount(),
                                request.getExactly().getDeviceClassName()))
                .toList();
    }

    private static List<String> mappings(ExtendedResourceClaim claim) {
        return claim.mappings().stream()
                .map(mapping -> mapping.getContainerName() + " " + mapping.getRequestName())
                .toList();
    }

    private static Pod pod(PodSpecBuilder spec) {
        Pod pod = TestObjects.pod("{namespace: default, name: pod, uid: pod-uid}");
        pod.setSpec(spec.build());
        return pod;
    }

    private static Container container(String name, int gpus) {
        return new ContainerBuilder()
                .withName(name)
                .withNewResources()
                .addToRequests("cpu", new Quantity("1"))
                .addToRequests(GPU, new Quantity(String.valueOf(gpus)))
                .endResources()
                .build();
    }

    private static DeviceClass deviceClass(String name, int second) {
        return new DeviceClassBuilder()
                .withNewMetadata()
                .withName(name)
                .withCreationTimestamp("2026-01-01T00:00:0%dZ".formatted(second))
                .endMetadata()
                .withNewSpec()
                .withExtendedResourceName(GPU)
                .endSpec()
                .build();
    }
}
