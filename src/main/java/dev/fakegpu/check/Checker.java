package dev.fakegpu.check;

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

    public static Report check(Input input) {
        var subjects = new ArrayList<Report.Subject>();
        input.slices().forEach(slice -> subjects.add(slice(slice)));
        List<CheckedPool> pools = CheckedPool.of(input.slices());
        subjects.addAll(pools(pools));
        var classes = new ClassChecks(pools);
        input.classes().forEach(each -> {
            var findings = new Findings();
            classes.check(each, findings);
            subjects.add(subject(Scope.CLASS, each.source(), findings));
        });
        List<Finding> all = subjects.stream()
                .flatMap(subject -> subject.findings().stream())
                .toList();
        return new Report(Rules.all(), subjects, all);
    }

    private static Report.Subject slice(CheckedSlice slice) {
        var findings = new Findings();
        FieldChecks.check(slice, findings);
        SliceChecks.check(slice, findings);
        NodeChecks.check(slice, findings);
        CounterChecks.check(slice, findings);
        for (CheckedDevice device : slice.devices()) {
            AttributeChecks.check(device, findings);
            CapacityChecks.check(device, findings);
            CounterChecks.check(device, findings);
            TaintChecks.check(device, findings);
            NodeAllocatableChecks.check(device, findings);
        }
        return subject(Scope.SLICE, slice.source(), findings);
    }

    private static List<Report.Subject> pools(List<CheckedPool> pools) {
        Map<PoolId, Findings> findings = new LinkedHashMap<>();
        pools.forEach(pool -> findings.put(pool.id(), new Findings()));
        Set<String> nodeNames = pools.stream()
                .flatMap(pool -> pool.all().stream())
                .flatMap(slice -> PoolChecks.nodeName(slice).stream())
                .collect(Collectors.toSet());
        pools.forEach(pool -> {
            Findings own = Objects.requireNonNull(findings.get(pool.id()));
            PoolChecks.check(pool, nodeNames, own);
            GroupChecks.check(pool, own);
        });
        PoolChecks.attributes(pools, findings);
        LintChecks.check(pools, findings);
        return pools.stream()
                .map(pool -> {
                    var source = new Source(pool.first().source().file(), "pool " + pool.id());
                    return subject(Scope.POOL, source, Objects.requireNonNull(findings.get(pool.id())));
                })
                .toList();
    }

    private static Report.Subject subject(Scope scope, Source source, Findings findings) {
        return new Report.Subject(scope, source.file(), source.object(), findings.all());
    }
}
