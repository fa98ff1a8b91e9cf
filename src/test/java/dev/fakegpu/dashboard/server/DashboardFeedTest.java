package dev.fakegpu.dashboard.server;

import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.testing.ClockJumpTests;
import dev.fakegpu.testing.MutableClock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** Tests how long a feed without readers is kept. */
class DashboardFeedTest implements ClockJumpTests {

    private final MutableClock clock = new MutableClock("2030-01-01T00:00:00Z");
    private final DashboardFeed feed = new DashboardFeed(
            new SmallCluster(), new DashboardReader("cluster", PendingChanges.NONE), DraftReader.NONE, clock, clock);

    @AfterEach
    void close() {
        feed.close();
    }

    @Override
    public MutableClock clock() {
        return clock;
    }

    @Override
    public Duration begin() {
        feed.keep();
        return Duration.ofSeconds(60);
    }

    @Override
    public boolean isOver() {
        return feed.isIdle();
    }
}
