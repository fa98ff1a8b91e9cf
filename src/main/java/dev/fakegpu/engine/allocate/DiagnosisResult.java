package dev.fakegpu.engine.allocate;

/** What came of diagnosing claims on a node. */
public sealed interface DiagnosisResult {

    /** The claims are valid; the diagnosis says what refuses each device. */
    record Diagnosed(Diagnosis diagnosis) implements DiagnosisResult {}

    /** The allocator gives up before it comes to any device. */
    record Invalid(RequestError error) implements DiagnosisResult {}
}
