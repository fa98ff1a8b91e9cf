package dev.fakegpu.cluster.check;

import dev.fakegpu.dra.PoolId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Applies all rules. */
public final class Checker {

    private Checker() {}

    public static CheckReport check(Input input) {
        var subjects = new ArrayList<CheckReport.Subject>();
        input.slices().forEach(slice -> subjects.add(slice(slice)));
        List<CheckedPool> pools = CheckedPool.of(input.slices());
        subjects.addAll(pools(pools, input));
        var classes = new ClassChecks(pools);
        input.classes().forEach(each -> {
            var findings = new Violations();
            FieldChecks.check(each, findings);
            RefusalChecks.check(each, findings);
            classes.check(each, findings);
            subjects.add(subject(Scope.CLASS, each.source(), findings));
        });
        input.objects().forEach(each -> {
            var findings = new Violations();
            RefusalChecks.check(each, findings);
            subjects.add(subject(Scope.OBJECT, each.source(), findings));
        });
        List<Violation> all = subjects.stream()
                .flatMap(subject -> subject.findings().stream())
                .toList();
        return new CheckReport(CheckRules.all(), subjects, all);
    }

    private static CheckReport.Subject slice(CheckedSlice slice) {
        var findings = new Violations();
        FieldChecks.check(slice, findings);
        SliceChecks.check(slice, findings);
        RefusalChecks.check(slice, findings);
        CounterChecks.check(slice, findings);
        for (CheckedDevice device : slice.devices()) {
            AttributeChecks.check(device, findings);
            CapacityChecks.check(device, findings);
            CounterChecks.check(device, findings);
            TaintChecks.check(device, findings);
        }
        return subject(Scope.SLICE, slice.source(), findings);
    }

    private static List<CheckReport.Subject> pools(List<CheckedPool> pools, Input input) {
        Map<PoolId, Violations> findings = new LinkedHashMap<>();
        pools.forEach(pool -> findings.put(pool.id(), new Violations()));
        Set<String> nodeNames = pools.stream()
                .flatMap(pool -> pool.all().stream())
                .flatMap(slice -> PoolChecks.nodeName(slice).stream())
                .collect(Collectors.toSet());
        pools.forEach(pool -> {
            Violations own = Objects.requireNonNull(findings.get(pool.id()));
            PoolChecks.check(pool, nodeNames, own);
            SharedDriverChecks.check(pool, input.fakeGpus(), own);
            GroupChecks.check(pool, own);
        });
        NodeChecks.check(pools, input, findings);
        PoolChecks.attributes(pools, findings);
        LintChecks.check(pools, findings);
        return pools.stream()
                .map(pool -> {
                    var source = new Source(pool.first().source().file(), "pool " + pool.id());
                    return subject(Scope.POOL, source, Objects.requireNonNull(findings.get(pool.id())));
                })
                .toList();
    }

    private static CheckReport.Subject subject(Scope scope, Source source, Violations findings) {
        return new CheckReport.Subject(scope, source.file(), source.object(), findings.all());
    }
}
