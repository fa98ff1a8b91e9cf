package dev.fakegpu.hardware.catalog;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown for a catalog entry that has at least one problem. */
public final class InvalidModelException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient List<ModelProblem> problems;

    InvalidModelException(List<ModelProblem> problems) {
        super(problems.stream().map(ModelProblem::sentence).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    public List<ModelProblem> problems() {
        return problems;
    }
}
