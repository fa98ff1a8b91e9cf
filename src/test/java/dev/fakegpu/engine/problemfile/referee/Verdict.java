package dev.fakegpu.engine.problemfile.referee;

/** The result of comparing an allocator's answer with the reference. */
enum Verdict {
    /** Both allocate the same devices, or both allocate nothing. */
    SAME("agrees"),
    /** Both allocate. The devices differ, but the reference also allocates the allocator's devices if there are no others. */
    OTHER_DEVICES("agrees, other devices"),
    /** The allocator reports that it does not support the claims. */
    REFUSES("refuses"),
    /** The allocator took too long. */
    NO_ANSWER("no answer"),
    /** The allocator finds nothing, but the reference does. */
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
