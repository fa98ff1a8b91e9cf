package dev.fakegpu.engine.allocate;

/** The result of diagnosing claims on a node. */
public sealed interface DiagnosisResult {

    /** The claims are valid. The diagnosis says what refuses each device. */
    record Diagnosed(Diagnosis diagnosis) implements DiagnosisResult {}

    /** The allocator gives up before it considers any device. */
    record Invalid(RequestError error) implements DiagnosisResult {}
}
