package dev.fakegpu.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * How long tests wait for what must happen: so long that they hold on a machine that other processes keep busy. JUnit calls it before the
 * first test, as {@code META-INF/services} says.
 */
public final class Patience implements LauncherSessionListener {

    public static final Duration LIMIT = Duration.ofMinutes(6);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(LIMIT);
    }
}
