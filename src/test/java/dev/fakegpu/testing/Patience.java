package dev.fakegpu.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.awaitility.pollinterval.PollInterval;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Sets how long tests wait: long enough for a machine that is busy with other processes. The pauses between checks become longer and
 * longer, because checks take processor time that the cluster needs. A check that throws an exception is repeated, too, because an object may
 * not exist yet, and a busy API server may not answer. JUnit calls this class before the first test, because of {@code META-INF/services}.
 */
public final class Patience implements LauncherSessionListener {

    public static final Duration LIMIT = Duration.ofMinutes(6);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    /** A tenth of the elapsed time, so that a test takes at most a tenth longer than necessary. */
    private static final PollInterval PAUSES = IterativePollInterval.iterative(Patience::next, FIRST_PAUSE);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(LIMIT);
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(PAUSES);
        // But not errors: a condition may contain an assertion about what must hold all the time.
        Awaitility.ignoreExceptionsByDefaultMatching(Exception.class::isInstance);
    }

    private static Duration next(Duration pause) {
        Duration longer = pause.plus(pause.dividedBy(10));
        return longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
    }
}
