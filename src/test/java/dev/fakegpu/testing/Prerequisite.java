package dev.fakegpu.testing;

import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Assumptions;

/**
 * A requirement of a test on the machine, such as a browser or a program that is built with Go. If it is missing, the test is skipped; with
 * the environment variable {@value #REQUIRED}, which {@code .ci/run} sets, the test fails.
 */
public final class Prerequisite {

    private static final String REQUIRED = "FAKEGPU_TOOLS_REQUIRED";

    private Prerequisite() {}

    /** @param missing what is missing, with the output of the program that should have built it */
    public static void require(boolean isThere, String missing) {
        if (!isThere && System.getenv(REQUIRED) != null) {
            fail("%s (skipped unless %s is set)", missing, REQUIRED);
        }
        Assumptions.assumeTrue(isThere, missing);
    }
}
