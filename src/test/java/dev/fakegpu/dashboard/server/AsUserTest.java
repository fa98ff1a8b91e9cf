package dev.fakegpu.dashboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.dashboard.server.Admission.DeniedException;
import dev.fakegpu.dashboard.server.Visibility.Namespaces;
import dev.fakegpu.engine.explain.PendingChanges;
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

class AsUserTest {

    private final MutableClock clock = new MutableClock("2030-01-01T00:00:00Z");
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final SmallCluster cluster = new SmallCluster();
    private final AsUser admission = new AsUser(
            new FeedPool(cluster, new DashboardReader("cluster", PendingChanges.NONE), clock), this::rights, clock);

    private Visibility rights(String token) {
        asked.add(token);
        if (token.startsWith("slow")) {
            awaitEnd();
        }
        if (token.equals("nobody")) {
            throw new DeniedException(401, "the cluster does not accept this token");
        }
        return token.startsWith("admin") ? Visibility.EVERYTHING : only(token);
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
    void withoutATokenNobodyIsAdmitted(String authorization) {
        assertThatThrownBy(() -> admission.admit(authorization).join())
                .hasCauseInstanceOf(DeniedException.class)
                .hasMessageContaining("send a bearer token");
        assertThat(asked).isEmpty();
    }

    @Test
    void callersWhoMaySeeTheSameShareAFeed() {
        DashboardFeed admins = admission.admit("Bearer admin-1").join();

        assertThat(admission.admit("bearer admin-2").join()).isSameAs(admins);
        assertThat(admission.admit("Bearer team").join()).isNotSameAs(admins);
    }

    @Test
    void whatACallerMaySeeIsAskedAgainAfterAWhile() {
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
    void tokensThatNobodyKnowsDoNotKeepAcceptedCallersWaiting() {
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
        DashboardFeed feed = admission.admit("Bearer team").join();
        clock.advance(Duration.ofMinutes(5));

        assertThat(feed.isIdle()).isTrue();
        assertThat(admission.admit("Bearer team").join()).isSameAs(feed);
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
    void largePicturesAreFewer() {
        var reader = new DashboardReader("cluster", PendingChanges.NONE);
        try (var small = new FeedPool(cluster, reader, clock, 2)) {
            small.feed(only("a"), "").first().join();
            small.feed(only("b"), "").first().join();

            assertThatThrownBy(() -> small.feed(only("c"), "")).hasMessageContaining("2 different sets of rights");
            assertThat(small.feed(only("a"), "")).isNotNull();
        }
    }

    @Test
    void beforeTheClusterIsReadThereIsNoPicture() {
        cluster.connected(false);
        assertThatThrownBy(() -> admission.admit("Bearer team").join())
                .hasMessageContaining("the cluster has not been read yet");

        cluster.connected(true);
        DashboardFeed feed = admission.admit("Bearer team").join();
        cluster.connected(false);
        assertThat(admission.admit("Bearer team").join()).isSameAs(feed);
    }
}
