package dev.fakegpu.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimStatusBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodClaimsTest {

    private static final String POD_UID = "pod-uid";

    private final ObjectStore<ResourceClaim> store = new ObjectStore<>();

    @Test
    void aPodWithoutClaimsWaitsForNothing() {
        // When
        var claims = PodClaims.of(pod().build(), store);

        // Then
        assertThat(claims.claims()).isEmpty();
        assertThat(claims.waitingFor()).isEmpty();
    }

    @Test
    void claimsComeInTheOrderOfTheReferences() {
        // Given
        store.onAdd(claim("a"));
        store.onAdd(claim("b"));

        // When
        var claims = PodClaims.of(using(using(pod(), "b"), "a").build(), store);

        // Then
        assertThat(claims.claims())
                .extracting(claim -> claim.getMetadata().getName())
                .containsExactly("b", "a");
        assertThat(claims.waitingFor()).isEmpty();
    }

    @Test
    void aClaimThatIsNamedSeveralTimesIsListedOnce() {
        // Given
        store.onAdd(claim("a"));
        var pod =
                using(using(using(using(pod(), "a"), "a"), "absent"), "absent").build();

        // Then
        assertThat(PodClaims.of(pod, store).claims()).hasSize(1);
        assertThat(PodClaims.of(pod, store).waitingFor()).hasSize(1);
        assertThat(PodClaims.names(pod)).containsExactly("a", "absent");
    }

    /** KEP-5729: kube-controller-manager creates the claim for the PodGroup, and kube-scheduler reserves it for the PodGroup. */
    @Test
    void aClaimOfTheGroupIsThatOfItsPods() {
        var shared = claim("shared");
        shared.getMetadata()
                .setOwnerReferences(List.of(new OwnerReferenceBuilder()
                        .withApiVersion("scheduling.k8s.io/v1beta1")
                        .withKind("PodGroup")
                        .withName("ring")
                        .withUid("group-uid")
                        .withController(true)
                        .build()));
        shared.setStatus(new ResourceClaimStatusBuilder()
                .addNewReservedFor("scheduling.k8s.io", "ring", "podgroups", "group-uid")
                .build());
        store.onAdd(shared);
        Pod member = inGroup("ring");
        Pod stranger = inGroup("other");

        assertThat(PodClaims.of(member, store).claims()).containsExactly(shared);
        assertThat(PodClaims.isReservedFor(shared, member)).isTrue();
        assertThat(PodClaims.isReservedForItself(shared, member)).isFalse();
        assertThat(PodClaims.of(stranger, store).claims()).isEmpty();
        assertThat(PodClaims.isReservedFor(shared, stranger)).isFalse();
    }

    private static Pod inGroup(String group) {
        return pod().editSpec()
                .withNewSchedulingGroup(group)
                .addNewResourceClaim()
                .withName("gpu")
                .withResourceClaimTemplateName("template")
                .endResourceClaim()
                .endSpec()
                .withNewStatus()
                .addNewResourceClaimStatus("gpu", "shared")
                .endStatus()
                .build();
    }

    @Test
    void includesTheClaimForExtendedResources() {
        // Given
        store.onAdd(claim("a"));
        store.onAdd(claim("made-by-the-scheduler"));
        var pod = using(pod(), "a")
                .editOrNewStatus()
                .withNewExtendedResourceClaimStatus()
                .withResourceClaimName("made-by-the-scheduler")
                .endExtendedResourceClaimStatus()
                .endStatus()
                .build();

        // Then
        assertThat(PodClaims.of(pod, store).claims())
                .extracting(claim -> claim.getMetadata().getName())
                .containsExactly("a", "made-by-the-scheduler");
        assertThat(PodClaims.names(pod)).containsExactly("a", "made-by-the-scheduler");
    }

    @Test
    void waitsForAClaimThatDoesNotExist() {
        // Given
        store.onAdd(new ResourceClaimBuilder(claim("a"))
                .editMetadata()
                .withNamespace("another")
                .endMetadata()
                .build());

        // When
        var claims = PodClaims.of(using(pod(), "a").build(), store);

        // Then
        assertThat(claims.claims()).isEmpty();
        assertThat(claims.waitingFor()).containsExactly("ResourceClaim \"a\" does not exist");
    }

    @Test
    void onlyClaimsOfTemplatesAreBeingMade() {
        var ofTemplate = fromTemplate(pod(), "gpu").build();
        var ofBoth = using(fromTemplate(pod(), "gpu"), "a").build();

        assertThat(PodClaims.of(pod().build(), store).areBeingMade()).isFalse();
        assertThat(PodClaims.of(ofTemplate, store).areBeingMade()).isTrue();
        assertThat(PodClaims.of(ofBoth, store).areBeingMade()).isFalse();
        store.onAdd(claim("a"));
        assertThat(PodClaims.of(ofBoth, store).areBeingMade()).isTrue();
        assertThat(PodClaims.of(generated(fromTemplate(pod(), "gpu"), "gpu", "gone"), store)
                        .areBeingMade())
                .isFalse();
    }

    @Test
    void aTemplateWithoutAClaimNamesItsController() {
        assertThat(PodClaims.of(fromTemplate(pod(), "gpu").build(), store).waitingFor())
                .containsExactly("there is no ResourceClaim for template \"gpu-template\";"
                        + " kube-controller-manager creates it if ResourceClaimTemplate \"gpu-template\" exists, or says in an event"
                        + " of the pod why not");
    }

    @Test
    void theClaimOfATemplateIsFoundByTheNameInThePodsStatus() {
        // Given
        store.onAdd(ownedBy(claim("pod-gpu-x7d2f"), POD_UID));

        // When
        var claims = PodClaims.of(generated(fromTemplate(pod(), "gpu"), "gpu", "pod-gpu-x7d2f"), store);

        // Then
        assertThat(claims.claims())
                .extracting(claim -> claim.getMetadata().getName())
                .containsExactly("pod-gpu-x7d2f");
    }

    /** A claim that happens to have the same name must not be used. */
    @Test
    void theClaimOfATemplateMustBeOwnedByThePod() {
        // Given
        store.onAdd(ownedBy(claim("pod-gpu-x7d2f"), "uid-of-an-earlier-pod"));

        // When
        var claims = PodClaims.of(generated(fromTemplate(pod(), "gpu"), "gpu", "pod-gpu-x7d2f"), store);

        // Then
        assertThat(claims.claims()).isEmpty();
        assertThat(claims.waitingFor()).containsExactly("ResourceClaim \"pod-gpu-x7d2f\" does not exist");
    }

    @Test
    void aReferenceThatNeedsNoClaimIsIgnored() {
        // When
        var claims = PodClaims.of(generated(fromTemplate(pod(), "gpu"), "gpu", null), store);

        // Then
        assertThat(claims.claims()).isEmpty();
        assertThat(claims.waitingFor()).isEmpty();
    }

    @Test
    void reservationIsByUidAndNotByName() {
        // Given
        var reserved = new ResourceClaimBuilder(claim("a"))
                .withNewStatus()
                .addNewReservedFor()
                .withResource("pods")
                .withName("pod")
                .withUid("uid-of-an-earlier-pod")
                .endReservedFor()
                .endStatus()
                .build();

        // Then
        assertThat(PodClaims.isReservedFor(claim("a"), pod().build())).isFalse();
        assertThat(PodClaims.isReservedFor(reserved, pod().build())).isFalse();
        assertThat(PodClaims.isReservedFor(
                        reserved,
                        pod().editMetadata()
                                .withUid("uid-of-an-earlier-pod")
                                .endMetadata()
                                .build()))
                .isTrue();
    }

    private static PodBuilder pod() {
        return new PodBuilder(
                TestObjects.pod("{namespace: default, name: pod, uid: %s}".formatted(POD_UID), "spec: {}"));
    }

    private static PodBuilder using(PodBuilder pod, String claim) {
        return pod.editSpec()
                .addNewResourceClaim()
                .withName("ref-" + claim)
                .withResourceClaimName(claim)
                .endResourceClaim()
                .endSpec();
    }

    private static PodBuilder fromTemplate(PodBuilder pod, String reference) {
        return pod.editSpec()
                .addNewResourceClaim()
                .withName(reference)
                .withResourceClaimTemplateName(reference + "-template")
                .endResourceClaim()
                .endSpec();
    }

    private static Pod generated(PodBuilder pod, String reference, String claim) {
        return pod.editOrNewStatus()
                .addNewResourceClaimStatus()
                .withName(reference)
                .withResourceClaimName(claim)
                .endResourceClaimStatus()
                .endStatus()
                .build();
    }

    private static ResourceClaim claim(String name) {
        return TestObjects.claim(
                "{namespace: default, name: %1$s, uid: %1$s-uid, resourceVersion: '1'}".formatted(name));
    }

    private static ResourceClaim ownedBy(ResourceClaim claim, String uid) {
        return new ResourceClaimBuilder(claim)
                .editMetadata()
                .addNewOwnerReference()
                .withApiVersion("v1")
                .withKind("Pod")
                .withName("pod")
                .withUid(uid)
                .endOwnerReference()
                .endMetadata()
                .build();
    }
}
