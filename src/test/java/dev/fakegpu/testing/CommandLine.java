package dev.fakegpu.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs {@code kubectl} and {@code helm} as users do, in the root directory of the project. Both come from the PATH or from the cache of
 * {@code hack}.
 *
 * @param kubeconfig the kubeconfig of the cluster
 */
public record CommandLine(Path kubeconfig) {

    /**
     * The outcome of a command.
     *
     * @param output what the command wrote to stdout and stderr
     */
    public record Result(int exitCode, String output) {

        /** The output of the command, which must have succeeded. */
        public String succeeded() {
            assertThat(exitCode).as(output).isZero();
            return output;
        }

        /** The output of the command, which must have failed. */
        public String failed() {
            assertThat(exitCode).as(output).isNotZero();
            return output;
        }
    }

    public Result kubectl(String... arguments) {
        return run(ProjectFiles.resolve("hack/kubernetes/kubectl").toString(), arguments);
    }

    /** Runs Helm, which is built the first time; skips the test if that is not possible. */
    public Result helm(String... arguments) {
        return run(helmProgram().toString(), arguments);
    }

    /** Runs a shell script, in which {@code kubectl} is that of {@link #kubectl}. */
    public Result shell(String script) {
        return run("bash", "-c", "kubectl() { hack/kubernetes/kubectl \"$@\"; }\n" + script);
    }

    /** The Helm program, which is built the first time; skips the test if that is not possible. */
    public Path helmProgram() {
        return Path.of(built("hack/helm/build"));
    }

    /** The KWOK program, which is built the first time; skips the test if that is not possible. */
    public Path kwok() {
        return Path.of(built("hack/kwok/build"));
    }

    /** @param script a script that builds a program from Go modules, and prints its path */
    private String built(String script) {
        var build = run(ProjectFiles.resolve(script).toString());
        Prerequisite.require(build.exitCode() == 0, build.output());
        return build.output().lines().reduce("", (before, last) -> last);
    }

    private Result run(String program, String... arguments) {
        var command = new ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.directory(ProjectFiles.resolve("pom.xml").getParent().toFile());
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        try {
            var process = builder.start();
            process.getOutputStream().close();
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.waitFor(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted: " + command, e);
        }
    }
}
