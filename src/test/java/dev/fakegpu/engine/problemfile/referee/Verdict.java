package dev.fakegpu.engine.problemfile.referee;

/** What an allocator's answer is worth, compared with the reference. */
enum Verdict {
    /** Both allocate the same devices, or both allocate nothing. */
    SAME("agrees"),
    /** Both allocate; the devices differ, but the reference allocates these, too, if there are no others. */
    OTHER_DEVICES("agrees, other devices"),
    /** It says that it cannot do what the claims ask for. */
    REFUSES("refuses"),
    /** It took too long. */
    NO_ANSWER("no answer"),
    /** It finds nothing, where the reference does. */
    MISSES("wrong: finds nothing"),
    /** It allocates where the reference does not. */
    GIVES("wrong: allocates devices where the reference does not"),
    /** Both allocate, but the reference does not allocate these devices, even if there are no others. */
    WRONG_DEVICES("wrong: allocates devices that the reference cannot allocate"),
    /** It crashed. */
    CRASHES("wrong: crashes");

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    boolean isWrong() {
        return compareTo(MISSES) >= 0;
    }

    boolean agrees() {
        return this == SAME || this == OTHER_DEVICES;
    }

    @Override
    public String toString() {
        return text;
    }
}
