package dev.fakegpu.engine.cel.value;

/**
 * Bounds the time and memory of one evaluation where CEL's costs do not. A few of upstream's costs are far below what a call takes:
 * doubling a list costs one unit, formatting and replacing cost nothing for the text that they insert, and comparing two lists that contain
 * each other's elements many times costs as if they were flat. A step is one element or ten characters, as in the costs. The limit is that
 * of the costs, so an evaluation that reaches it would be refused by upstream or take it seconds.
 *
 * <p>Steps are counted per thread, since functions do not know the evaluation that calls them.
 */
public final class Steps {

    /** {@code CELSelectorExpressionMaxCost} of {@code resource.k8s.io/v1}. */
    private static final long LIMIT = 1_000_000;

    private static final int CHARACTERS = 10;

    /** Shorter texts cost no steps. */
    private static final int SHORT_TEXT = 100;

    private static final ThreadLocal<Steps> CURRENT = ThreadLocal.withInitial(Steps::new);

    private long taken;

    private Steps() {}

    /** Resets the counter at the beginning of an evaluation. */
    public static void begin() {
        CURRENT.get().taken = 0;
    }

    /**
     * Counts steps before they are executed.
     *
     * @throws Failure if the evaluation has now taken too many steps
     */
    public static void take(long number) {
        Steps steps = CURRENT.get();
        steps.taken = number < 0 || number > LIMIT ? LIMIT + 1 : steps.taken + number;
        if (steps.taken > LIMIT) {
            throw new Failure("operation cancelled: actual cost limit exceeded");
        }
    }

    /** Whether the evaluation has taken too many steps and must end. */
    public static boolean areExceeded() {
        return CURRENT.get().taken > LIMIT;
    }

    /** Counts reading or writing a text once. */
    public static void text(long length) {
        if (length > SHORT_TEXT) {
            take(length / CHARACTERS);
        }
    }

    /** Counts reading a text once with more work per character: a number, a time or a URL. */
    public static void parse(String text) {
        if (text.length() > SHORT_TEXT) {
            take(text.length());
        }
    }

    /** Counts searching for one text in another, where a match may begin anywhere. */
    public static void search(String text, String part) {
        if (text.length() > SHORT_TEXT) {
            take((text.length() / CHARACTERS) * (1L + part.length() / CHARACTERS));
        }
    }
}
