package dev.fakegpu.cluster.check;

/**
 * A rule that a driver's objects should keep.
 *
 * @param name in kebab case; stable, since CI configurations refer to it
 * @param why what happens if the rule is broken
 * @param fix what to do then
 * @param source where it is written: a function or constant of Kubernetes, or a KEP
 */
public record Rule(String name, Severity severity, Scope scope, String why, String fix, String source) {

    static Rule error(Scope scope, String name, String why, String fix, String source) {
        return new Rule(name, Severity.ERROR, scope, why, fix, source);
    }

    static Rule warning(Scope scope, String name, String why, String fix, String source) {
        return new Rule(name, Severity.WARNING, scope, why, fix, source);
    }
}
