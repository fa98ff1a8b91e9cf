package dev.fakegpu.engine.cel.value;

/**
 * Bounds what one evaluation does and keeps in memory where CEL's costs do not. These are upstream's, and a few of them are far below
 * what a call takes: doubling a list costs one unit, formatting and replacing cost nothing for what they insert, and comparing two lists
 * that contain each other's elements many times costs as if they were flat. A step is one element, or ten characters, as in the costs;
 * the limit is that of the costs, so that nothing reaches it which upstream would not refuse, or take seconds for.
 *
 * <p>Counts by thread, since functions do not know the evaluation that calls them.
 */
public final class Steps {

    /** {@code CELSelectorExpressionMaxCost} of {@code resource.k8s.io/v1}. */
    private static final long LIMIT = 1_000_000;

    private static final int CHARACTERS = 10;

    /** Shorter texts are free. */
    private static final int SHORT_TEXT = 100;

    private static final ThreadLocal<Steps> CURRENT = ThreadLocal.withInitial(Steps::new);

    private long taken;

    private Steps() {}

    /** An evaluation begins. */
    public static void begin() {
        CURRENT.get().taken = 0;
    }

    /**
     * Takes some steps, before they are done.
     *
     * @throws Failure if the evaluation has then taken too many
     */
    public static void take(long number) {
        Steps steps = CURRENT.get();
        steps.taken = number < 0 || number > LIMIT ? LIMIT + 1 : steps.taken + number;
        if (steps.taken > LIMIT) {
            throw new Failure("operation cancelled: actual cost limit exceeded");
        }
    }

    /** Whether the evaluation has taken too many steps, so that it has to end. */
    public static boolean areExceeded() {
        return CURRENT.get().taken > LIMIT;
    }

    /** Reads or writes a text once. */
    public static void text(long length) {
        if (length > SHORT_TEXT) {
            take(length / CHARACTERS);
        }
    }

    /** Reads a text once, with more work for each character: a number, a time or a URL. */
    public static void parse(String text) {
        if (text.length() > SHORT_TEXT) {
            take(text.length());
        }
    }

    /** Searches a text for another one, which may begin to match everywhere. */
    public static void search(String text, String part) {
        if (text.length() > SHORT_TEXT) {
            take((text.length() / CHARACTERS) * (1L + part.length() / CHARACTERS));
        }
    }
}
