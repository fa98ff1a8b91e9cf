package dev.fakegpu.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests leader election with a Lease of a real API server. */
class LeadershipIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private final KubernetesClient client = controlPlane.client();
    private final String namespace =
            "leadership-" + UUID.randomUUID().toString().substring(0, 8);

    @Test
    void leaderReleasesTheLeaseWhenItEnds() {
        var firstLeads = new AtomicBoolean();
        var secondLeads = new AtomicBoolean();
        // No Lease expires by itself, regardless of how long the machine pauses.
        Ticker stopped = () -> 1;
        try (var first = leadership("first", stopped);
                var second = leadership("second", stopped)) {
            // Given
            first.start(() -> firstLeads.set(true), () -> {});
            Awaitility.await().untilTrue(firstLeads);
            second.start(() -> secondLeads.set(true), () -> {});
            assertThat(first.isHeld()).isTrue();
            assertThat(second.isHeld()).isFalse();

            // When
            first.close();

            // Then
            assertThat(holder()).isNotEqualTo("first");
            assertThat(first.isHeld()).isFalse();
            Awaitility.await().untilTrue(secondLeads);
            assertThat(second.isHeld()).isTrue();
            assertThat(holder()).isEqualTo("second");
        }
    }

    /** The API server stores the last renewal after the Lease was read. */
    @Test
    void aRenewalAtTheEndDoesNotKeepTheLease() {
        var leads = new AtomicBoolean();
        var conflicts = new AtomicInteger();
        Interceptor renewal = new Interceptor() {
            @Override
            public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                if (isRelease(request) && conflicts.getAndIncrement() == 0) {
                    lease().edit(stored -> stored.edit()
                            .editSpec()
                            .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC))
                            .endSpec()
                            .build());
                }
            }
        };
        try (var intercepted = ClientSerialization.builder()
                        .withConfig(controlPlane.controlPlane().config())
                        .withHttpClientBuilderConsumer(builder -> builder.addOrReplaceInterceptor("renewal", renewal))
                        .build();
                var leader = new Leadership(intercepted, namespace, "leader", Clock.systemUTC(), () -> 1)) {
            leader.start(() -> leads.set(true), () -> {});
            Awaitility.await().untilTrue(leads);

            leader.close();

            assertThat(holder()).isEmpty();
            assertThat(conflicts).hasValue(2);
        }
    }

    private static boolean isRelease(HttpRequest request) {
        return request.method().equals("PUT") && request.bodyString().contains("\"holderIdentity\":\"\"");
    }

    /** The time of the last renewal decides, not the stored Lease. */
    @Test
    void leadershipIsCertainUntilTheLeaseExpires() {
        var leads = new AtomicBoolean();
        var late = new AtomicBoolean();
        var asking = Thread.currentThread();
        // The time advances only for this thread; otherwise the Lease might be renewed at that time.
        Ticker ticker =
                () -> 1 + (late.get() && Thread.currentThread() == asking ? Leadership.RENEW_DEADLINE.toNanos() : 0);
        try (var leader = leadership("leader", ticker)) {
            leader.start(() -> leads.set(true), () -> {});
            Awaitility.await().untilTrue(leads);
            assertThat(leader.isHeld()).isTrue();

            late.set(true);

            assertThat(leader.isHeld()).isFalse();
        }
    }

    /** A user may do that by hand. The fast renewal without a read must notice it. */
    @Test
    void aLeaderWhoseLeaseIsTakenStops() {
        var leads = new AtomicBoolean();
        var lost = new AtomicBoolean();
        try (var leader = leadership("leader", () -> 1)) {
            leader.start(() -> leads.set(true), () -> lost.set(true));
            Awaitility.await().untilTrue(leads);

            lease().edit(stored -> stored.edit()
                    .editSpec()
                    .withHolderIdentity("another")
                    .endSpec()
                    .build());

            Awaitility.await().untilTrue(lost);
            assertThat(leader.isHeld()).isFalse();
        }
        assertThat(holder()).isEqualTo("another");
    }

    /** If the leader's clock is slow, its renewal time may be in the past, but its Lease has not expired. */
    @Tag("long")
    @Test
    void aLeaderWhoseClockIsSlowKeepsItsLease() {
        var slow = ZonedDateTime.now(ZoneOffset.UTC).minusHours(1);
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        client.resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(Leadership.LEASE)
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("slow")
                        .withLeaseDurationSeconds(15)
                        .withAcquireTime(slow)
                        .withRenewTime(slow)
                        .withLeaseTransitions(0)
                        .endSpec()
                        .build())
                .create();
        var leads = new AtomicBoolean();
        var renewals = new AtomicInteger();
        // The time of the other leader. It pauses with the machine, which may not be able to renew the Lease in time.
        var time = new AtomicLong();
        try (var other = leadership("other", time::get)) {
            // When: the leader renews its Lease for longer than the others wait
            other.start(() -> leads.set(true), () -> {});
            Awaitility.await().pollInterval(Duration.ofSeconds(2)).until(() -> {
                lease().edit(stored -> stored.edit()
                        .editSpec()
                        .withRenewTime(slow.plusSeconds(2L * renewals.incrementAndGet()))
                        .endSpec()
                        .build());
                time.addAndGet(Duration.ofSeconds(2).toNanos());
                return leads.get() || renewals.get() == 10;
            });

            // Then
            assertThat(leads).isFalse();
            Awaitility.await().until(() -> {
                time.addAndGet(Duration.ofSeconds(1).toNanos());
                return leads.get();
            });
        }
    }

    private Leadership leadership(String identity, Ticker ticker) {
        return new Leadership(client, namespace, identity, Clock.systemUTC(), ticker);
    }

    private String holder() {
        return lease().require().getSpec().getHolderIdentity();
    }

    private Resource<Lease> lease() {
        return client.leases().inNamespace(namespace).withName(Leadership.LEASE);
    }
}
