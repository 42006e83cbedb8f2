package framegraph_test
import ("testing";"fmt";"os";"strconv"
fg "github.com/bindpose/bindpose/framegraph")
func TestZZ(t *testing.T){
 n,err:=strconv.Atoi(os.Getenv("ZZ")); if err!=nil {t.Skip()}
 g:=fg.New(); randomGraph(g,uint64(n)); p,_:=g.Compile(fg.Caps{})
 for i:=range p.Steps { s:=&p.Steps[i]; fmt.Println("##",i,s.Name,s.Kind,"scope",s.Scope,s.ScopeBegin)
  for _,m:=range s.Before.Memory {fmt.Printf("   mem %x->%x %x->%x\n",uint64(m.SrcStage),uint64(m.DstStage),uint64(m.SrcAccess),uint64(m.DstAccess))}
  for _,m:=range s.Before.Buffers {fmt.Printf("   buf %s %x->%x %x->%x\n",p.Resources[m.Buffer].Name,uint64(m.SrcStage),uint64(m.DstStage),uint64(m.SrcAccess),uint64(m.DstAccess))}
  for _,m:=range s.Before.Images {fmt.Printf("   img %s %x->%x %x->%x  %d->%d m%d+%d l%d+%d\n",p.Resources[m.Image].Name,uint64(m.SrcStage),uint64(m.DstStage),uint64(m.SrcAccess),uint64(m.DstAccess),m.OldLayout,m.NewLayout,m.Mip,m.Mips,m.Layer,m.Layers)}
  for _,d:=range p.Declared(s.Pass,nil){fmt.Printf("     - %s %s %x m%d+%d l%d+%d\n",p.Resources[d.Resource].Name,d.Verb,uint64(d.Stage),d.Mip,d.Mips,d.Layer,d.Layers)}
 }
 for _,r:=range p.Resources {fmt.Printf("%s %v heap %d off %d bytes %d arrive %v leave %v\n",r.Name,r.Origin,r.Heap,r.Offset,r.Bytes,r.Arrive,r.Leave)}
}
