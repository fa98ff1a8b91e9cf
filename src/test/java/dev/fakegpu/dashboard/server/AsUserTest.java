package dev.fakegpu.dashboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.dashboard.server.Admission.DeniedException;
import dev.fakegpu.dashboard.server.Visibility.Namespaces;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.testing.ClockJumpTests;
import dev.fakegpu.testing.ClusterYaml;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.testing.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class AsUserTest implements ClockJumpTests {

    private final MutableClock clock = new MutableClock("2030-01-01T00:00:00Z");
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final SmallCluster cluster = new SmallCluster();
    private final AsUser admission = new AsUser(
            new FeedPool(cluster, new DashboardReader("cluster", PendingChanges.NONE), clock, clock),
            this::rights,
            clock);

    private Caller rights(String token) {
        asked.add(token);
        if (token.startsWith("slow")) {
            awaitEnd();
        }
        if (token.equals("nobody")) {
            throw new DeniedException(401, "the cluster does not accept this token");
        }
        return caller(token);
    }

    /** The text before the slash is the user. */
    private static Caller caller(String token) {
        String user = token.split("/", 2)[0];
        return new Caller(user, user.startsWith("admin") ? Visibility.EVERYTHING : only(token));
    }

    private static Visibility only(String namespace) {
        var namespaces = new Namespaces(false, Set.of(namespace));
        return new Visibility(namespaces, namespaces, false);
    }

    private void awaitEnd() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void close() {
        end.countDown();
        admission.close();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "Bearer a b", "Bearer a\u0000"})
    void callersWithoutATokenAreNotAdmitted(String authorization) {
        assertThatThrownBy(() -> admission.admit(authorization).join())
                .hasCauseInstanceOf(DeniedException.class)
                .hasMessageContaining("send a bearer token");
        assertThat(asked).isEmpty();
    }

    @Test
    void callersWhoMaySeeTheSameShareAFeed() {
        DashboardFeed admins = admission.admit("Bearer admin-1").join().feed();

        assertThat(admission.admit("bearer admin-2").join().feed()).isSameAs(admins);
        assertThat(admission.admit("Bearer team").join().feed()).isNotSameAs(admins);
    }

    /** They may name tenants. A pod can ask for the values of any label. */
    @Test
    void labelsOfNodesAreShownOnlyToCallersWhoSeeAllNames() {
        cluster.add(ClusterYaml.objects("""
                apiVersion: v1
                kind: Node
                metadata: {name: node-1, labels: {tenant: acme}}
                status: {allocatable: {pods: 10}, conditions: [{type: Ready, status: 'True'}]}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: curious}
                spec: {schedulerName: default-scheduler, containers: [{name: c, image: x}], nodeSelector: {tenant: x}, resourceClaims: [{name: r, resourceClaimName: big}]}
                """));
        cluster.waiting("big", "whole");

        assertThat(picture("admin")).contains("nodes have acme");
        assertThat(picture("team")).contains("team/curious").doesNotContain("acme");
        assertThat(DashboardFeed.json(new DashboardReader("cluster", PendingChanges.NONE)
                        .withheld("")
                        .another() // for trials
                        .read(cluster.objects())))
                .contains("team/curious")
                .doesNotContain("acme");
    }

    private String picture(String token) {
        DashboardFeed feed = admission.admit("Bearer " + token).join().feed();
        feed.first().join();
        return feed.json().orElseThrow().toString();
    }

    @Test
    void rightsOfACallerAreCheckedAgainAfterAWhile() {
        admission.admit("Bearer team").join();
        admission.admit("Bearer team").join();
        assertThat(asked).hasSize(1);

        clock.advance(AsUser.TRUSTED);
        admission.admit("Bearer team").join();
        assertThat(asked).hasSize(2);
    }

    @Test
    void aRefusedTokenIsAskedEachTime() {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> admission.admit("Bearer nobody").join())
                    .isInstanceOf(CompletionException.class)
                    .hasMessageContaining("does not accept this token");
        }
        assertThat(asked).hasSize(2);
    }

    @Test
    void unknownTokensDoNotDelayAcceptedCallers() {
        // Given
        admission.admit("Bearer team").join();

        // When
        var unknown = IntStream.range(0, 100)
                .mapToObj(i -> admission.admit("Bearer slow-" + i))
                .toList();
        clock.advance(AsUser.TRUSTED);

        // Then
        assertThat(unknown)
                .last()
                .satisfies(last -> assertThatThrownBy(last::join).hasMessageContaining("too many callers at once"));
        assertThat(admission.admit("Bearer team")).succeedsWithin(Patience.LIMIT);
        assertThat(asked).filteredOn("team"::equals).hasSize(2);
    }

    @Test
    void aFeedThatIsStillUsedIsTheSame() {
        DashboardFeed feed = admission.admit("Bearer team").join().feed();
        clock.advance(Duration.ofMinutes(5));

        assertThat(feed.isIdle()).isTrue();
        assertThat(admission.admit("Bearer team").join().feed()).isSameAs(feed);
        assertThat(feed.isIdle()).isFalse();
    }

    @Test
    void tooManyDifferentCallersWait() {
        for (int i = 0; i < FeedPool.MAX_FEEDS; i++) {
            admission.admit("Bearer team-" + i).join();
        }

        assertThatThrownBy(() -> admission.admit("Bearer one-more").join())
                .hasMessageContaining("others look at this cluster with 8 different sets of rights");
        assertThat(admission.admit("Bearer team-0").join()).isNotNull();
    }

    @Test
    void aUserWithAllPlacesLosesSomeToOthers() {
        // Given
        List<DashboardFeed> ofTenant = IntStream.range(0, FeedPool.MAX_FEEDS)
                .mapToObj(i -> {
                    clock.advance(Duration.ofSeconds(1));
                    return admission.admit("Bearer tenant/" + i).join().feed();
                })
                .toList();

        // When
        DashboardFeed ofAdmin = admission.admit("Bearer admin").join().feed();

        // Then
        assertThat(admission.admit("Bearer admin").join().feed()).isSameAs(ofAdmin);
        for (int i = 1; i < FeedPool.MAX_FEEDS; i++) {
            assertThat(admission.admit("Bearer tenant/" + i).join().feed()).isSameAs(ofTenant.get(i));
        }
        assertThatThrownBy(() -> admission.admit("Bearer tenant/0").join())
                .as("the one that was asked for longest ago is gone, and there is no other place")
                .hasMessageContaining("others look at this cluster with 8 different sets of rights");
    }

    /** A user who may create one ServiceAccount may create any number. */
    @Test
    void serviceAccountsOfANamespaceShare() {
        assertThat(Caller.of("system:serviceaccount:team:a", Visibility.NO_NAMES))
                .isEqualTo(Caller.of("system:serviceaccount:team:b", Visibility.NO_NAMES));
        assertThat(Caller.of("alice", Visibility.NO_NAMES).user()).isEqualTo("alice");
    }

    @Test
    void largePicturesAreFewer() {
        var reader = new DashboardReader("cluster", PendingChanges.NONE);
        try (var small = new FeedPool(cluster, reader, clock, clock, 2)) {
            small.feed(caller("a"), "").first().join();
            small.feed(caller("b"), "").first().join();

            assertThatThrownBy(() -> small.feed(caller("c"), "")).hasMessageContaining("2 different sets of rights");
            assertThat(small.feed(caller("a"), "")).isNotNull();
        }
    }

    @Test
    void beforeTheClusterIsReadThereIsNoPicture() {
        cluster.connected(false);
        assertThatThrownBy(() -> admission.admit("Bearer team").join())
                .hasMessageContaining("the cluster has not been read yet");

        cluster.connected(true);
        DashboardFeed feed = admission.admit("Bearer team").join().feed();
        cluster.connected(false);
        assertThat(admission.admit("Bearer team").join().feed()).isSameAs(feed);
    }

    @Override
    public MutableClock clock() {
        return clock;
    }

    @Override
    public Duration begin() {
        admission.admit("Bearer team").join();
        return AsUser.TRUSTED;
    }

    @Override
    public boolean isOver() {
        admission.admit("Bearer team").join();
        return asked.size() > 1;
    }
}
