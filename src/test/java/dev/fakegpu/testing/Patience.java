package dev.fakegpu.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.awaitility.pollinterval.PollInterval;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * How long tests wait for what must happen: so long that they hold on a machine that other processes keep busy. They look at once, and then
 * less and less often, or looking would take the processor time that the cluster needs. JUnit calls it before the first test, as {@code
 * META-INF/services} says.
 */
public final class Patience implements LauncherSessionListener {

    public static final Duration LIMIT = Duration.ofMinutes(6);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    /** A tenth of the time that has passed, so that no test takes more than a tenth longer than it has to. */
    private static final PollInterval PAUSES = IterativePollInterval.iterative(Patience::next, FIRST_PAUSE);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(LIMIT);
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(PAUSES);
    }

    private static Duration next(Duration pause) {
        Duration longer = pause.plus(pause.dividedBy(10));
        return longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
    }
}
