package dev.fakegpu.operator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.operator.schedule.cache.AssumeCache;
import dev.fakegpu.operator.schedule.queue.Arrivals;
import dev.fakegpu.operator.schedule.queue.CompanionScope;
import dev.fakegpu.operator.schedule.queue.NamespaceShares;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.queue.SchedulingQueue;
import dev.fakegpu.operator.schedule.settings.SchedulerProfile;
import dev.fakegpu.testing.TestObjects;
import dev.fakegpu.util.Moment;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class PendingPodIndexTest {

    /** A client that receives no requests. */
    private static final KubernetesClient CLIENT = new KubernetesClientBuilder().build();

    private static final Moment NOW = new Moment(Duration.ZERO);

    private final ClusterWatch cluster = new ClusterWatch(CLIENT, "any", "any");
    private final AssumeCache assumeCache = new AssumeCache(GroupPolicy.SNAPSHOT, (pool, by) -> {});
    private final SchedulingQueue queue =
            new SchedulingQueue(uid -> {}, new NamespaceShares(), new Arrivals(Runnable::run));
    private final CompanionScope scope = new CompanionScope(cluster, SchedulerProfile.COMPANION);
    private final PendingPodIndex pods = new PendingPodIndex(assumeCache, queue, scope);

    @AfterAll
    static void close() {
        CLIENT.close();
    }

    @Test
    void aPodThatWaitsForTheWriteOfASharedClaimIsQueuedWhenTheWriteHasEnded() {
        // Given
        var claim = claim();
        cluster.pods().written(pod());
        pods.changed("ns", "pod");
        var item = queue.poll(NOW, namespace -> true).orElseThrow();

        // When
        assumeCache.assume(ClaimReader.ref(claim), List.of());
        pods.forDecision(item);
        assumeCache.forget(claim.getMetadata().getUid());
        pods.claimChanged("ns", "claim");

        // Then
        assertThat(queue.poll(NOW, namespace -> true)).contains(item);
    }

    @Test
    void aChangeThatTheDecisionKnewIsNoReasonForAnotherOne() {
        // Given
        cluster.pods().written(pod());
        pods.changed("ns", "pod");
        var item = queue.poll(NOW, namespace -> true).orElseThrow();
        claim();

        // When
        pods.forDecision(item);
        pods.claimChanged("ns", "claim");

        // Then
        assertThat(queue.poll(NOW, namespace -> true)).isEmpty();
    }

    /** The generation is unchanged: the pod may have been unreadable because of a label, or because of its size. */
    @Test
    void aPodThatCanBeReadAgainIsQueued() {
        // Given
        var mapper = ClientSerialization.mapper();
        Pod unreadable = new KubernetesSerialization(mapper, true)
                .unmarshal(
                        Serialization.asJson(pod()).replace("\"spec\":{", "\"spec\":{\"priority\":\"high\","),
                        Pod.class);
        assertThat(UnreadableFields.isReadable(unreadable)).isFalse();
        cluster.pods().written(unreadable);
        pods.changed("ns", "pod");
        var item = queue.poll(NOW, namespace -> true).orElseThrow();
        pods.forDecision(item);

        // When
        cluster.pods().written(pod());
        pods.changed("ns", "pod");

        // Then
        assertThat(queue.poll(NOW, namespace -> true)).contains(item);
    }

    @Test
    void podsOfAChangedGroupAreQueuedOnceNoneOfThemIsBeingWritten() {
        // Given
        QueueItem one = decided("one");
        QueueItem other = decided("other");
        pods.writing(one);

        // When
        pods.groupChanged("ns", "ring");
        pods.activateChangedGroups();

        // Then
        assertThat(queue.poll(NOW, namespace -> true)).isEmpty();

        // When
        pods.written(one);
        pods.activateChangedGroups();

        // Then
        assertThat(queue.poll(NOW, namespace -> true)).contains(one);
        assertThat(queue.poll(NOW, namespace -> true)).contains(other);
        pods.activateChangedGroups();
        assertThat(queue.poll(NOW, namespace -> true)).isEmpty();
    }

    /** The remaining pods of the old group may have to report that there are not enough of them. */
    @Test
    void podsOfTheGroupThatALeavingPodHadAreQueuedAlthoughItsSuccessorHasAnotherGroup() {
        // Given
        QueueItem other = decided("other");
        decided("one");

        // When
        cluster.pods().written(ofGroup("one", "successor", "star"));
        pods.changed("ns", "one");
        pods.activateChangedGroups();

        // Then
        assertThat(queue.poll(NOW, namespace -> true)).map(QueueItem::uid).contains("successor");
        assertThat(queue.poll(NOW, namespace -> true)).contains(other);
    }

    private static Pod ofGroup(String name, String uid, String group) {
        return TestObjects.pod(
                "{namespace: ns, name: %s, uid: %s, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z'}"
                        .formatted(name, uid),
                "spec: {schedulerName: fakegpu-scheduler, schedulingGroup: {podGroupName: %s}}".formatted(group));
    }

    /** A pod of a group, which waits for a change. */
    private QueueItem decided(String name) {
        cluster.pods().written(ofGroup(name, name, "ring"));
        pods.changed("ns", name);
        pods.activateChangedGroups();
        while (queue.activeCount() > 0) {
            queue.poll(NOW, namespace -> true);
        }
        return QueueItem.of(cluster.pods().get("ns", name).orElseThrow());
    }

    private ResourceClaim claim() {
        var claim = TestObjects.claim(
                "{namespace: ns, name: claim, uid: claim, resourceVersion: '1'}",
                "spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: any}}]}}");
        cluster.claims().written(claim);
        return claim;
    }

    private static Pod pod() {
        return TestObjects.pod(
                "{namespace: ns, name: pod, uid: pod, resourceVersion: '2', creationTimestamp: '2026-01-01T00:00:00Z'}",
                "spec: {schedulerName: fakegpu-scheduler, resourceClaims: [{name: gpu, resourceClaimName: claim}]}");
    }
}
